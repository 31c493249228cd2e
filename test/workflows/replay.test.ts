import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { loadWorkflowBundle } from '../../workflows/bundle.ts'

const FOLDER = join(import.meta.dirname, 'histories')

interface History {
  events: [{ workflowExecutionStartedEventAttributes: { header?: { fields?: object } } }]
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64')
/** The headers of a workflow start from a traced request. */
const TRACE = {
  '_tracer-data': {
    metadata: { encoding: toBase64('json/plain') },
    data: toBase64(JSON.stringify({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })),
  },
}

const read = (file: string): History => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as History

function readTraced(file: string): History {
  const history = read(file)
  const [{ workflowExecutionStartedEventAttributes: started }] = history.events
  started.header = { fields: { ...started.header?.fields, ...TRACE } }
  return history
}

/**
 * Replays histories on one worker, which takes half a second to start. Returns the problem found in each history, by
 * name.
 */
async function replay(named: Record<string, History>): Promise<Map<string, Error | undefined>> {
  const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
  const sinks = { tracing: { exportRun: { fn: () => undefined } } }
  const histories = Object.entries(named).map(([workflowId, history]) => ({ workflowId, history }))
  const problems = new Map<string, Error | undefined>()
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, histories))
    problems.set(workflowId, error)
  return problems
}

const NAMED = Object.fromEntries(
  globSync('*/*.json', { cwd: FOLDER }).flatMap(file => [
    [file, read(file)],
    [`${file} of a run that is traced`, readTraced(file)],
  ]),
) as Record<string, History>

let problems: Map<string, Error | undefined>
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  problems = await replay(NAMED)
})

describe('the workflow code can replay the history', () => {
  test.each(Object.keys(NAMED))('%s', name => {
    expect(problems.has(name)).toBe(true)
    expect(problems.get(name)).toBeUndefined()
  })

  test('a history that is incompatible with the workflow code is rejected', async () => {
    const text = readFileSync(join(FOLDER, 'pathways/approval-and-payment.json'), 'utf8')
    const changed = JSON.parse(text.replaceAll('"neuron"', '"other"')) as History
    expect((await replay({ changed })).get('changed')).toBeInstanceOf(Error)
  })
})
