import { isTerminal } from '../../../../domain/runs/jobs.ts'
import { resumeSignal } from '../../../../workflows/shared/run/messages.ts'
import { callRun } from '../../cancel-run.ts'
import { type BulkOperation, ENDED, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Resumes paused runs. Does not end `wait` nodes, which you can end only for single runs. */
export const resume: BulkOperation = {
  permission: 'jobs:control',
  effect: 'write',
  statuses: ['paused'],
  findObstacle: ({ status, may_write }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [status !== 'paused', `The run is ${status}: a bulk job resumes only paused runs`],
    ),
  hasTakenEffect: ({ status }) => status !== 'paused',
  audit: 'job.resume',
  contrary: 'job.pause',
  apply: ({ temporal }, { row, principal }) =>
    callRun(temporal, () => temporal.handle(row.job_id).signal(resumeSignal, { by: principal.actor })),
}
