import { Tinypool } from 'tinypool'
import { Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import { createSemaphore } from '../../../domain/shared/fairness/semaphore.ts'
import { INLINE_LIMITS, TooMuchInline, type WorkLimits } from '../../../domain/shared/fairness/work-limits.ts'
import { type TaskArgs, type TaskName, type TaskResult, tasks } from './tasks.ts'
import type { ThreadReply, ThreadTask } from './thread.ts'

/** Evaluates user-written code without blocking other requests or activities. */
export interface Evaluator {
  /**
   * Runs a task inline if it takes only a few milliseconds. Otherwise, runs it with a time limit in a thread that
   * workspaces share fairly. Throws the task's errors, ValidationError after the time limit, and Unavailable if too
   * many of the workspace's tasks are queued.
   */
  evaluate<N extends TaskName>(workspaceId: string, name: N, ...args: TaskArgs<N>): Promise<TaskResult<N>>
}

/** An evaluator with its own threads. */
export interface OpenEvaluator extends Evaluator {
  close(): Promise<void>
}

const MAX_THREADS = 2
/** Most requests wait inside a transaction, which occupies a database connection. */
const MAX_WAITING = 4
const MAX_MS = 15_000
/** An idle thread uses memory, but starting a new thread takes time. */
const MAX_IDLE_MS = 60_000

export function openEvaluator(): OpenEvaluator {
  const semaphore = createSemaphore(MAX_THREADS, { perGroup: 1 })
  const closing = new AbortController()
  const threads = new Tinypool({
    filename: new URL('thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: MAX_IDLE_MS,
  })

  async function evaluateInThread(task: ThreadTask): Promise<unknown> {
    const limit = AbortSignal.timeout(MAX_MS)
    const reply = (await threads.run(task, { signal: limit }).catch((error: unknown) => {
      if (limit.aborted) throw new ValidationError(`The evaluation took longer than ${MAX_MS / 1_000} seconds`)
      throw error
    })) as ThreadReply
    if ('error' in reply) throw new ExpressionError(reply.error.code, reply.error.message)
    return reply.result
  }

  return {
    async evaluate(workspaceId, name, ...args) {
      type Result = TaskResult<typeof name>
      const task = tasks[name] as (limits: WorkLimits, ...args: unknown[]) => Result
      try {
        return task(INLINE_LIMITS, ...args)
      } catch (error) {
        if (!(error instanceof TooMuchInline)) throw error
      }
      if (semaphore.countWaiting(workspaceId) >= MAX_WAITING)
        throw new Unavailable('The workspace has too many large evaluations in progress')
      const release = await semaphore.acquire(closing.signal, workspaceId)
      try {
        return (await evaluateInThread({ name, args })) as Result
      } finally {
        release()
      }
    },
    close() {
      closing.abort(new Unavailable())
      return threads.destroy()
    },
  }
}
