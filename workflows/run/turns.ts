import { condition, getExternalWorkflowHandle, proxyLocalActivities } from '@temporalio/workflow'
import type { NeuronProjections } from '../../activities/types.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import { recordOptions } from '../record-options.ts'
import { turnSignal } from './messages.ts'

const { turnBefore, turnAfter } = proxyLocalActivities<NeuronProjections>(recordOptions)

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
    if ((await turnBefore({ job, trace })) === null) return
    await condition(() => told() > heard || isOver(), (LOOK_AFTER[looks] ?? 60) * 1_000)
  }
}

/** Tells the next run of the thread, so that it need not wait until it looks for itself. */
export async function passTurnOn({ job, trace }: InTrace): Promise<void> {
  const next = await turnAfter({ job, trace })
  if (next === null) return
  await getExternalWorkflowHandle(next)
    .signal(turnSignal)
    .catch(() => undefined)
}
