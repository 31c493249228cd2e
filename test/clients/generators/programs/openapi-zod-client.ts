import { isErrorFromAlias } from '@zodios/core'
import { api, createApiClient } from './client'
import { apiKey, baseUrl, jobId, print } from './reading'

const options = { headers: { Authorization: `Bearer ${apiKey}` } }
const client = createApiClient(baseUrl)

async function readError(): Promise<string | undefined> {
  try {
    await client['jobs.get']({ ...options, params: { jobId: 'no-such-job' } })
    return undefined
  } catch (error) {
    if (!isErrorFromAlias(api.api, 'jobs.get', error)) throw error
    return error.response.data.code
  }
}

const { jobs } = await client['jobs.list'](options)
const { status } = await client['jobs.get']({ ...options, params: { jobId } })
// The event text does not match any event type.
const text = createApiClient(baseUrl, { validate: 'request' })
const stream: unknown = await text['jobs.stream']({ ...options, params: { jobId } })
print({ jobs: jobs.map(job => job.job_id), status, stream: String(stream), error: await readError() })
