import type {
  LocalActivityInput,
  Next,
  WorkflowInterceptorsFactory,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import { nonCancellable } from './shared/scopes.ts'

/** More microtasks than a run takes to handle one result and to issue its commands. */
const MICROTASKS_PER_RESULT = 100

/**
 * Makes local activities safe to replay and to cancel, each for a reason in the SDK.
 *
 * - Results are handed out one at a time, each after the run has handled all that came before. A replay gets results in
 *   one activation that came in several when the history was written. Handled together they would cause other commands
 *   than one after the other, such as one update of the search attributes instead of two.
 * - A cancel is not passed on: a local activity that ends while its cancel is requested fails the workflow task. So local
 *   activities are short, and the run waits for their end.
 */
class LocalActivities implements WorkflowOutboundCallsInterceptor {
  private last: Promise<void> = Promise.resolve()

  scheduleLocalActivity(
    input: LocalActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>,
  ): Promise<unknown> {
    return nonCancellable(async () => {
      try {
        return await next(input)
      } finally {
        this.last = this.last.then(waitMicrotasks)
        await this.last
      }
    })
  }
}

async function waitMicrotasks(): Promise<void> {
  for (let i = 0; i < MICROTASKS_PER_RESULT; i++) await Promise.resolve()
}

export const interceptors: WorkflowInterceptorsFactory = () => ({ outbound: [new LocalActivities()] })
