import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'
import { localQueue } from './shared/local-queue.ts'

/** Queues the local activities of a run. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [{ scheduleLocalActivity: (input, next) => localQueue.add(() => next(input)) }],
})
