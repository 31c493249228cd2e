import { canPause, isTerminal } from '../../../../domain/runs/jobs.ts'
import { pauseSignal } from '../../../../workflows/shared/run/messages.ts'
import { callBegun } from '../../cancel-run.ts'
import { type BulkOperation, ENDED, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Pauses open runs of pathways and neurons. */
export const pause: BulkOperation = {
  permission: 'jobs:control',
  effect: 'stop',
  statuses: ['pending', 'running', 'waiting'],
  findObstacle: ({ status, kind, may_write }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [!canPause(kind), `A job of kind "${kind}" cannot be paused`],
      [status === 'paused', 'The run is already paused'],
    ),
  hasTakenEffect: ({ status }) => status === 'paused',
  audit: 'job.pause',
  contrary: 'job.resume',
  apply: ({ temporal }, { row, principal }) =>
    callBegun(temporal, row, () => temporal.handle(row.job_id).signal(pauseSignal, { by: principal.actor })),
}
