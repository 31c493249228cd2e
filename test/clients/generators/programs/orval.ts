import { jobsGet, jobsList, jobsStream } from './client'
import { apiKey, jobId, print } from './reading'

const options = { headers: { Authorization: `Bearer ${apiKey}` } }

const page = await jobsList({}, options)
const job = await jobsGet(jobId, options)
// The event text is typed as one of the events.
const stream = await jobsStream(jobId, {}, options)
const missing = await jobsGet('no-such-job', options)
if (page.status !== 200 || job.status !== 200) throw new Error(`${page.status} and ${job.status}`)
print({
  jobs: page.data.jobs.map(one => one.job_id),
  status: job.data.status,
  stream: String(stream.data),
  error: missing.status === 404 ? missing.data.code : undefined,
})
