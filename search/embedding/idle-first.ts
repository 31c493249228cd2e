import type { ModelTasks } from './model-process.ts'

/** The longest time that a task may take in the idle class: what runs there gets almost nothing of busy processors. */
const MAX_IDLE_MS = 1_000
/** The same for a task that may have to load the model first. */
const MAX_LOAD_MS = 10_000
/** A quarter of what is cut on an idle machine. */
const MIN_CHUNKED_CHARS_PER_MS = 500
/** How long tasks go to the steady process after that: twice as long each time, until one ends in the idle class. */
const FIRST_STEADY_MS = 5_000
const MAX_STEADY_MS = 60_000

/**
 * Gives tasks to a process in the idle class of the scheduler, so that all other work goes before. While the processors have
 * no time for that class, tasks go to the steady process instead, so that indexing never stands still.
 */
export function createIdleFirst(idle: ModelTasks, steady: ModelTasks): ModelTasks {
  let steadyUntil = 0
  let steadyMs = FIRST_STEADY_MS
  let isLoaded = false

  async function run<T>(
    work: (process: ModelTasks, signal?: AbortSignal) => Promise<T>,
    maxMs: number,
    signal?: AbortSignal,
  ): Promise<T> {
    if (performance.now() < steadyUntil) return work(steady, signal)
    const limit = AbortSignal.timeout(isLoaded ? maxMs : Math.max(maxMs, MAX_LOAD_MS))
    try {
      const result = await work(idle, signal ? AbortSignal.any([signal, limit]) : limit)
      isLoaded = true
      steadyMs = FIRST_STEADY_MS
      return result
    } catch (error) {
      if (!limit.aborted || signal?.aborted) throw error
      steadyUntil = performance.now() + steadyMs
      steadyMs = Math.min(steadyMs * 2, MAX_STEADY_MS)
      return work(steady, signal)
    }
  }

  return {
    embed: (texts, signal) => run((process, limit) => process.embed(texts, limit), MAX_IDLE_MS, signal),
    chunk(text, signal) {
      const maxMs = MAX_IDLE_MS + Math.ceil(text.length / MIN_CHUNKED_CHARS_PER_MS)
      return run((process, limit) => process.chunk(text, limit), maxMs, signal)
    },
  }
}
