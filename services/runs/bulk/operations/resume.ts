import { isTerminal } from '../../../../domain/runs/jobs.ts'
import { resumeSignal } from '../../../../workflows/shared/run/messages.ts'
import { callRun } from '../../cancel-run.ts'
import { type BulkOperation, ENDED, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Resumes paused runs. `wait` nodes do not end by it: that is decided for one run at a time. */
export const resume: BulkOperation = {
  permission: 'jobs:control',
  effect: 'write',
  statuses: ['paused'],
  findObstacle: ({ status, may_write }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [status !== 'paused', `It is ${status}: a bulk job resumes paused runs only`],
    ),
  hasTakenEffect: ({ status }) => status !== 'paused',
  audit: 'job.resume',
  contrary: 'job.pause',
  apply: ({ temporal }, { row, principal }) =>
    callRun(temporal, () => temporal.handle(row.job_id).signal(resumeSignal, { by: principal.actor })),
}
