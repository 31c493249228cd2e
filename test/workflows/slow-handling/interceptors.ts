import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'
import { passMicrotasks } from './microtasks.ts'

/** Passes each result to the run after many microtasks, except results of local activities. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => delay(next(input)),
      startTimer: (input, next) => delay(next(input)),
      startChildWorkflowExecution: async (input, next) => {
        const [started, ended] = await next(input)
        return [delay(started), delay(ended)]
      },
    },
  ],
})

function delay<T>(result: Promise<T>): Promise<T> {
  const delayed = afterMicrotasks(result)
  // The caller may handle an error later.
  delayed.catch(() => undefined)
  return delayed
}

async function afterMicrotasks<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } finally {
    await passMicrotasks()
  }
}
