import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow'
import { WORKSPACE_BUSY } from '../../domain/work-limits.ts'
import { nonCancellable, throwIfCancelled } from './scopes.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/**
 * Schedules an activity again while the worker refuses it because its workspace is busy. All its schedules have one number in
 * the SDK, by which the first passes a cancel on for the later ones, too. A second request to cancel the same activity would
 * fail every attempt at the workflow task.
 */
export async function untilAdmitted<T>(schedule: () => Promise<T>): Promise<T> {
  let attempt = schedule()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return await attempt
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    await sleep(wait * (0.5 + Math.random()), { summary: 'the workspace is busy' })
    throwIfCancelled()
    attempt = nonCancellable(schedule)
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === WORKSPACE_BUSY
