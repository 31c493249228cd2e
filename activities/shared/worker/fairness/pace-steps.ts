import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { ApplicationFailure } from '@temporalio/common'
import { WORKSPACE_BUSY } from '../../../../domain/shared/fairness/shares.ts'
import type { WorkPace } from '../../../../domain/shared/fairness/work-pace.ts'
import { type AdmissionPlace, readPlaceHeader } from '../../../../workflows/shared/fairness/place-header.ts'
import { findWorkspace } from './workspace-shares.ts'

/**
 * Time between two activities of one workspace on a busy machine: three times what a step costs, with all that belongs to it,
 * because a refusal costs something, too.
 */
export const BUSY_STEP_GAP_MS = 150 / availableParallelism()
/** An activity that would wait longer is refused. */
const MAX_WAIT_MS = 2_000
/** The part of its time that an activity may wait. */
const MAX_WAIT_SHARE = 0.1
/** A refused activity keeps its place if that is not later. */
const MAX_PLACE_MS = 60_000

/**
 * Spaces the regular activities of a workspace, with which its runs go on, while others have work on a busy machine. Those
 * that would wait for long are refused; the workflow schedules a refused one again, shortly before its place.
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
        // A cancelled activity goes on at once, and learns of it itself.
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: cancellationSignal }).catch(() => undefined)
        return next(input)
      },
    },
  })

/** Returns the milliseconds until the place that an activity has, or gets now; undefined where it can get none. */
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
