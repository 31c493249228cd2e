import { z } from 'zod'
import { diagnosis } from '../../../routes/jobs/diagnosis.ts'
import { jobParams } from '../../../routes/jobs/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const diagnoseRun = defineTool({
  name: 'diagnose_run',
  title: 'Tell why a run is where it is',
  description:
    'Names the one cause why a run is where it is: for whom or what it waits, what fails, or that it works. Says since when, what shows it, and what to do.',
  route: 'jobs.diagnosis',
  hints: READS,
  input: z.strictObject({ job_id: jobParams.shape.jobId }),
  output: z.object({ ...diagnosis.shape, evidence: z.record(z.string(), z.unknown()) }),
  call: ({ jobs }, { principal }, { job_id }) => jobs.diagnosis(principal, job_id),
})
