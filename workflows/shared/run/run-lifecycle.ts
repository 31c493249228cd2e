import { allHandlersFinished, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type { PathwayProjections } from '../../../activities/types.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'
import { continueWithCurrentBuild } from '../versioning.ts'
import { throwUnlessCompleted, notifyFiring } from './end.ts'
import { registerMessageHandlers } from './message-handlers.ts'
import type { RunController, RunSnapshot } from './run-controller.ts'
import { nonCancellable } from '../scopes.ts'
import { notifyNextRun, waitForPreviousRun } from '../steps/thread-order.ts'
import { waitUntil } from '../turns.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

/**
 * Executes a run until it ends or continues as new. In a thread, first waits for the previous run. A child run
 * returns a `ChildResult`.
 */
export function runToCompletion<Event, Command>(
  controller: RunController<Event, Command>,
  snapshot?: RunSnapshot<Event, Command>,
): Promise<JsonValue> {
  const { job, trace } = controller.input
  const countTurnSignals = registerMessageHandlers(controller, job)
  return nonCancellable(async () => {
    if (trace && !snapshot)
      await waitForPreviousRun({ job, trace }, countTurnSignals, () => controller.finished !== undefined)
    controller.start(snapshot)
    await waitUntil(() => controller.finished !== undefined || controller.canContinueAsNew)
    await controller.flushed()
    await waitUntil(allHandlersFinished)
    const end = controller.finished
    if (!end) return continueWithCurrentBuild(controller.input, controller.snapshot())
    await finish(end)
    if (trace) await notifyNextRun({ job, trace })
    await notifyFiring()
    throwUnlessCompleted(end)
    const result = end.result ?? null
    return workflowInfo().parent ? { result, ...(end.labels && { labels: end.labels }) } : result
  })
}
