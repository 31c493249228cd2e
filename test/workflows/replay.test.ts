import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { loadWorkflowBundle } from '../../workflows/bundle.ts'

const FOLDER = join(import.meta.dirname, 'histories')

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
})

describe('the workflow code replays the history', () => {
  test.each(readdirSync(FOLDER))('%s', async file => {
    const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const history: unknown = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined()
  })

  test('a history that does not fit the workflow code is rejected', async () => {
    const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
    const text = readFileSync(join(FOLDER, 'approval-and-payment.json'), 'utf8')
    const changed: unknown = JSON.parse(text.replaceAll('"neuron"', '"other"'))
    await expect(Worker.runReplayHistory({ workflowBundle }, changed)).rejects.toThrow()
  })
})
