import threads, { type WorkerOptions } from 'node:worker_threads'

/** The file that Temporal's SDK runs in each workflow thread. */
const WORKFLOW_THREAD = /\bworkflow-worker-thread(?:\.js)?$/
const ONE_LIMIT = new URL('./limit-activations.ts', import.meta.url).href
const NO_TRACES = new URL('./without-promise-traces.ts', import.meta.url).href

/**
 * Lets the workflow threads that are created from now on load code of ours before the SDK's, because no option of it saves
 * what they save: a time limit for each entry of the sandbox (ADR 0133), and without `traces` the stack trace of each promise
 * (ADR 0105). Temporal's "call stack" of a run then says that traces are not enabled.
 */
export function prepareWorkflowThreads({ traces }: { traces: boolean }): void {
  const preloads = [ONE_LIMIT, ...(traces ? [] : [NO_TRACES])].flatMap(file => ['--import', file])
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const isWorkflowThread = WORKFLOW_THREAD.test(String(file))
      super(file, isWorkflowThread ? { ...options, execArgv: [...process.execArgv, ...preloads] } : options)
    }
  }
}
