import threads, { type WorkerOptions } from 'node:worker_threads'

/** The file that Temporal's SDK runs in each workflow thread. */
const WORKFLOW_THREAD = /\bworkflow-worker-thread(?:\.js)?$/
const ONE_LIMIT = new URL('./limit-activations.ts', import.meta.url).href
const NO_TRACES = new URL('./without-promise-traces.ts', import.meta.url).href

/**
 * Makes new workflow threads load our code before the SDK's code, because no SDK option has the same effect. Our code
 * avoids a time limit for each sandbox entry and, without `traces`, the stack trace for each promise (ADR 0105). A
 * run's "call stack" in Temporal then states that traces are not enabled.
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
