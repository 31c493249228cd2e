import threads, { type WorkerOptions } from 'node:worker_threads'

/** The file that Temporal's SDK runs in each workflow thread. */
const WORKFLOW_THREAD = /\bworkflow-worker-thread(?:\.js)?$/
const PRELOADED = new URL('./without-promise-traces.ts', import.meta.url).href

/**
 * Lets the workflow threads that are created from now on take no stack trace of each promise, which is a tenth of what a
 * step costs the worker (ADR 0105). No option of the SDK does so. Temporal's "call stack" of a run then says that traces are
 * not enabled.
 */
export function leaveOutPromiseTraces(): void {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const isWorkflowThread = WORKFLOW_THREAD.test(String(file))
      super(file, isWorkflowThread ? { ...options, execArgv: [...process.execArgv, '--import', PRELOADED] } : options)
    }
  }
}
