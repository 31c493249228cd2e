import { jobsGet, jobsList, jobsStream } from './client'
import { client } from './client/client.gen'
import { apiKey, baseUrl, jobId, print } from './reading'

client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? apiKey : undefined) })

const { data: page } = await jobsList({ throwOnError: true })
const { data: job } = await jobsGet({ path: { jobId }, throwOnError: true })
const { error } = await jobsGet({ path: { jobId: 'no-such-job' } })

const events = []
const { stream } = await jobsStream({ path: { jobId } })
for await (const event of stream) events.push(event)
print({
  jobs: page.jobs.map(one => one.job_id),
  status: job.status,
  stream: JSON.stringify(events),
  error: error?.code,
})
