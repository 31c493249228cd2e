import {
  condition,
  getExternalWorkflowHandle,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import type { NeuronProjections, PathwayProjections } from '../../activities/types.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import { stateAttributes } from '../attributes.ts'
import { recordOptions } from '../record-options.ts'
import { turnSignal } from './messages.ts'

const { record, turnBefore, turnAfter } = proxyLocalActivities<NeuronProjections & PathwayProjections>(recordOptions)

/** How long a run waits for word from the one before it before it looks for itself, in seconds; later, the last of these. */
const LOOK_AFTER = [1, 5, 15, 60] as const

interface InTrace {
  job: JobRef
  trace: TraceTurn
}

/**
 * Messages of one thread are answered in their order: resolves once the run before this one has ended. Before the first
 * there is none to look for.
 */
export async function turnHasCome({ job, trace }: InTrace, told: () => number, isOver: () => boolean): Promise<void> {
  if (trace.turn === 1) return
  for (let looks = 0; !isOver(); looks++) {
    const heard = told()
    const before = await turnBefore({ job, trace })
    if (before === null) return looks > 0 ? upsertSearchAttributes(stateAttributes('running', [])) : undefined
    if (looks === 0) await showQueued(job, before)
    await condition(() => told() > heard || isOver(), (LOOK_AFTER[looks] ?? 60) * 1_000)
  }
}

/** The run has not begun: it is pending, and says for which run it waits. */
async function showQueued(job: JobRef, before: string): Promise<void> {
  const current_step = `waits for ${before}`
  upsertSearchAttributes(stateAttributes('pending', []))
  setCurrentDetails(`**pending**\n\nWaits for the run before it in its thread: \`${before}\``)
  await record({ job, status: 'pending', seq: 0, current_step, nodes: [], interventions: [] })
}

/** Tells the next run of the thread, so that it need not wait until it looks for itself. */
export async function passTurnOn({ job, trace }: InTrace): Promise<void> {
  const next = await turnAfter({ job, trace })
  if (next === null) return
  await getExternalWorkflowHandle(next)
    .signal(turnSignal)
    .catch(() => undefined)
}
