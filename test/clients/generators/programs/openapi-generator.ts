import { Configuration, JobsApi, ModelErrorFromJSON, ResponseError } from './client'
import { apiKey, baseUrl, jobId, print } from './reading'

const api = new JobsApi(new Configuration({ basePath: baseUrl, accessToken: apiKey }))

async function readError(): Promise<string | undefined> {
  try {
    await api.jobsGet({ jobId: 'no-such-job' })
    return undefined
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error
    return ModelErrorFromJSON(await error.response.json()).code
  }
}

const { jobs } = await api.jobsList()
const { status } = await api.jobsGet({ jobId })
const { raw } = await api.jobsStreamRaw({ jobId })
print({ jobs: jobs.map(job => job.jobId), status, stream: await raw.text(), error: await readError() })
