import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import { WORKSPACE_BUSY } from '../../../../domain/shared/fairness/shares.ts'
import type { WorkPace } from '../../../../domain/shared/fairness/work-pace.ts'
import { type AdmissionPlace, readPlaceHeader } from '../../../../workflows/shared/fairness/place-header.ts'
import { findWorkspace } from './workspace-shares.ts'

/**
 * Time between two activities of one workspace on a busy machine. It is three times the full cost of a step, because
 * a rejection also has a cost.
 */
export const BUSY_STEP_GAP_MS = 150 / availableParallelism()
/** An activity that would wait longer is rejected. */
const MAX_WAIT_MS = 2_000
/** The share of its time limit for which an activity may wait. */
const MAX_WAIT_SHARE = 0.1
/** A rejected activity keeps its reserved time if that time is at most this far in the future. */
const MAX_PLACE_MS = 60_000

/**
 * Spaces out a workspace's regular activities while other workspaces have work on a busy machine. Activities that
 * would wait too long are rejected. The workflow reschedules a rejected activity shortly before its reserved time.
 */
export const paceSteps =
  (pace: WorkPace): ActivityInterceptorsFactory =>
  ({ info, cancellationSignal }) => ({
    inbound: {
      async execute(input, next) {
        const workspace = findWorkspace(input)
        if (info.isLocal) {
          pace.note(workspace)
          return next(input)
        }
        const waitMs = findWait(pace, workspace, input)
        const maxMs = Math.min(MAX_WAIT_MS, info.startToCloseTimeoutMs * MAX_WAIT_SHARE)
        if (waitMs === undefined || waitMs > maxMs) throw admissionError(waitMs, maxMs)
        // A cancelled activity continues immediately and detects the cancellation itself.
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: cancellationSignal }).catch(() => undefined)
        return next(input)
      },
    },
  })

/**
 * Returns the milliseconds until an activity's reserved time. Reserves a time if the activity has none. Returns
 * undefined if no time is available.
 */
function findWait(pace: WorkPace, workspace: string, { headers }: ActivityExecuteInput): number | undefined {
  const place = readPlaceHeader(headers)
  if (!place) return pace.reserve(workspace, MAX_PLACE_MS)
  pace.note(workspace)
  return Math.max(0, place.begin_at - Date.now())
}

function admissionError(waitMs: number | undefined, maxMs: number): ApplicationFailure {
  const place: AdmissionPlace[] =
    waitMs === undefined ? [] : [{ wait_ms: Math.round(waitMs - maxMs / 2), begin_at: Date.now() + waitMs }]
  return ApplicationFailure.nonRetryable('The workspace has too many steps', WORKSPACE_BUSY, ...place)
}
