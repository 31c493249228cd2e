import { randomUUID } from 'node:crypto'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { startProcess, type TestProcess } from '../../support/stack/process.ts'
import { type approval, answerUpdate, askedQuery, type calls, type localCalls, type transforms } from './workflows.ts'

/** Temporal without Ganglion: a client in this process, and a worker in its own process. */
export interface Bare {
  client: Client
  transforms(count: number): Promise<void>
  calls(url: string, count: number): Promise<void>
  localCalls(url: string, count: number): Promise<void>
  /** Starts a run like `transforms`. Resolves when the run is accepted. */
  start(count: number): Promise<WorkflowHandle>
  /** Starts a run that asks a question. Resolves when the question is asked, with a function that answers it. */
  waitForAnswer(url: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** @param env the environment of a stack, whose Temporal and namespace are shared */
export async function startBare(env: Record<string, string>): Promise<Bare> {
  const taskQueue = `bare-${randomUUID()}`
  const [worker, connection] = await Promise.all([
    startProcess('test/bench/bare/worker-main.ts', { ...env, TEMPORAL_TASK_QUEUE: taskQueue }, isReady),
    Connection.connect({ address: env.TEMPORAL_ADDRESS }),
  ])
  const client = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE })
  const named = () => ({ taskQueue, workflowId: `bare-${randomUUID()}` })
  return {
    client,
    transforms: async count => {
      await client.workflow.execute<typeof transforms>('transforms', { ...named(), args: [count] })
    },
    calls: async (url, count) => {
      await client.workflow.execute<typeof calls>('calls', { ...named(), args: [url, count] })
    },
    localCalls: async (url, count) => {
      await client.workflow.execute<typeof localCalls>('localCalls', { ...named(), args: [url, count] })
    },
    start: count => client.workflow.start<typeof transforms>('transforms', { ...named(), args: [count] }),
    waitForAnswer: async url => {
      const handle = await client.workflow.start<typeof approval>('approval', { ...named(), args: [url] })
      await handle.query(askedQuery)
      return async () => void (await handle.executeUpdate(answerUpdate, { args: [{ action: 'approve' }] }))
    },
    close: () => close(worker, connection),
  }
}

const isReady = (output: string) => output.includes('ready')

async function close(worker: TestProcess, connection: Connection): Promise<void> {
  await Promise.all([worker.end(), connection.close()])
}
