import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { loadWorkflowBundle } from '../../workflows/bundle.ts'

const FOLDER = join(import.meta.dirname, 'histories')

interface History {
  events: [{ workflowExecutionStartedEventAttributes: { header?: { fields?: object } } }]
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64')
/** The header of a start whose request is traced. */
const TRACE = {
  '_tracer-data': {
    metadata: { encoding: toBase64('json/plain') },
    data: toBase64(JSON.stringify({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })),
  },
}

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
})

describe('the workflow code replays the history', () => {
  test.each(readdirSync(FOLDER))('%s', async file => {
    const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const history: unknown = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined()
  })

  test.each(readdirSync(FOLDER))('%s of a run that is traced', async file => {
    const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const history = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as History
    const [{ workflowExecutionStartedEventAttributes: started }] = history.events
    started.header = { fields: { ...started.header?.fields, ...TRACE } }
    const sinks = { tracing: { exportRun: { fn: () => undefined } } }
    await expect(Worker.runReplayHistory({ workflowBundle, sinks }, history)).resolves.toBeUndefined()
  })

  test('a history that does not fit the workflow code is rejected', async () => {
    const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const text = readFileSync(join(FOLDER, 'approval-and-payment.json'), 'utf8')
    const changed: unknown = JSON.parse(text.replaceAll('"neuron"', '"other"'))
    await expect(Worker.runReplayHistory({ workflowBundle }, changed)).rejects.toThrow()
  })
})
