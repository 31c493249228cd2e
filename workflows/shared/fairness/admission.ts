import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow'
import { WORKSPACE_BUSY } from '../../../domain/shared/fairness/shares.ts'
import type { AdmissionPlace } from './place-header.ts'
import { nonCancellable, throwIfCancelled } from '../scopes.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/**
 * Reschedules an activity while the worker rejects it because its workspace is busy. If the worker has reserved a
 * place for it, passes the place on. All schedules share one sequence number in the SDK, by which the first schedule
 * forwards a cancellation for the later ones. A second cancellation request for the same activity would fail every
 * attempt of the workflow task.
 */
export async function untilAdmitted<T>(schedule: (place?: AdmissionPlace) => Promise<T>): Promise<T> {
  let attempt = schedule()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    let place: AdmissionPlace | undefined
    try {
      return await attempt
    } catch (error) {
      const refusal = findAdmissionFailure(error)
      if (!refusal) throw error
      place = refusal.details?.[0] as AdmissionPlace | undefined
    }
    await sleep(place?.wait_ms ?? wait * (0.5 + Math.random()), { summary: 'the workspace is busy' })
    throwIfCancelled()
    attempt = nonCancellable(() => schedule(place))
  }
}

function findAdmissionFailure(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof ApplicationFailure && cause.type === WORKSPACE_BUSY ? cause : undefined
}
