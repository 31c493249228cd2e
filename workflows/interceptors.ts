import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'
import { untilAdmitted } from './shared/admission.ts'
import { localQueue } from './shared/local-queue.ts'

/** Queues the local activities of a run, and schedules refused activities again. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => untilAdmitted(() => next(input)),
      scheduleLocalActivity: (input, next) => localQueue.add(() => next(input)),
    },
  ],
})
