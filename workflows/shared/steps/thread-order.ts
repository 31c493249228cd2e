import {
  getExternalWorkflowHandle,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import type { NeuronProjections, PathwayProjections } from '../../../activities/types.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import { buildStateAttributes } from '../run/attributes.ts'
import { RECORD_OPTIONS } from './activity-options.ts'
import { turnSignal } from '../run/messages.ts'
import { waitUntil } from '../turns.ts'

const { record, findPreviousOpenRun, findNextOpenRun } = proxyLocalActivities<NeuronProjections & PathwayProjections>(
  RECORD_OPTIONS,
)

/** Seconds without a signal after which a run polls the previous run. The last value repeats. */
const POLL_AFTER_SECONDS = [1, 5, 15, 60] as const

interface InTrace {
  job: JobRef
  trace: TraceTurn
}

/** Resolves when the previous run in the thread has ended, so that messages are answered in order. */
export async function waitForPreviousRun(
  { job, trace }: InTrace,
  countTurnSignals: () => number,
  isOver: () => boolean,
): Promise<void> {
  if (trace.turn === 1) return
  for (let polls = 0; !isOver(); polls++) {
    const signalCount = countTurnSignals()
    const previous = await findPreviousOpenRun({ job, trace })
    if (previous === null) return polls > 0 ? upsertSearchAttributes(buildStateAttributes('running', [])) : undefined
    if (polls === 0) await publishPending(job, previous)
    await waitUntil(() => countTurnSignals() > signalCount || isOver(), (POLL_AFTER_SECONDS[polls] ?? 60) * 1_000)
  }
}

/** Publishes that the run is pending, and which run it is waiting for. */
async function publishPending(job: JobRef, previous: string): Promise<void> {
  const current_step = `waits for ${previous}`
  upsertSearchAttributes(buildStateAttributes('pending', []))
  setCurrentDetails(`**pending**\n\nWaiting for the previous run in the thread: \`${previous}\``)
  await record({ job, status: 'pending', seq: 0, current_step, nodes: [], interventions: [] })
}

/** Signals the next run in the thread, so that it starts before its next poll. */
export async function notifyNextRun({ job, trace }: InTrace): Promise<void> {
  const next = await findNextOpenRun({ job, trace })
  if (next === null) return
  await getExternalWorkflowHandle(next)
    .signal(turnSignal)
    .catch(() => undefined)
}
