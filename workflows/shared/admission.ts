import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow'
import { WORKSPACE_BUSY } from '../../domain/work-limits.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/** Schedules an activity again while the worker refuses it because its workspace is busy. */
export async function untilAdmitted<T>(schedule: () => Promise<T>): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return await schedule()
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    await sleep(wait * (0.5 + Math.random()), { summary: 'the workspace is busy' })
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === WORKSPACE_BUSY
