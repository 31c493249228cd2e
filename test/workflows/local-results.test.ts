import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js'
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js'
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js'
import type { WorkflowInfo } from '@temporalio/workflow'
import proto, { type coresdk } from '@temporalio/proto'

/**
 * A replay delivers the result of a local activity together with others that came before it when the history was
 * written. The run must handle it after them, however long that takes.
 */

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(import.meta.dirname, 'histories')
const SLOW = join(import.meta.dirname, 'slow-handling')
const INTERCEPTORS = join(ROOT, 'workflows/shared/interceptors.ts')
const NO_LOG = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error }

const bundle = (workflowsPath: string, interceptors: string[]) =>
  bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: interceptors,
    preloadModules: [workflowsPath, ...interceptors],
    logger: NO_LOG,
  })

type Job = coresdk.workflow_activation.IWorkflowActivationJob
interface Scheduled {
  name: string
  seq: number
}

/** Starts a run without a server. It receives jobs and returns commands. */
async function startRun(creator: ReusableVMWorkflowCreator, workflowType: string) {
  const info = {
    workflowId: 'x',
    runId: `${workflowType}-${Math.random()}`,
    workflowType,
    firstExecutionRunId: 'x',
    attempt: 1,
    taskQueue: 'x',
    namespace: 'x',
    searchAttributes: {},
    historyLength: 3,
    historySize: 300,
    unsafe: { isReplaying: true, isReplayingHistoryEvents: true, now: Date.now },
    startTime: new Date(0),
    runStartTime: new Date(0),
  } as unknown as WorkflowInfo
  const run: Workflow = await creator.createWorkflow({
    info,
    randomnessSeed: [1, 2, 3],
    now: 0,
    showStackTraceSources: false,
  })
  const activate = async (jobs: Job[]): Promise<Scheduled[]> => {
    const activation = { runId: info.runId, timestamp: { seconds: 1 as never }, isReplaying: true, jobs }
    const { successful, failed } = await run.activate(
      proto.coresdk.workflow_activation.WorkflowActivation.fromObject(activation),
    )
    if (failed) throw new Error(JSON.stringify(failed))
    return (successful?.commands ?? []).flatMap(({ scheduleActivity, scheduleLocalActivity }) => {
      const { activityType: name, seq } = scheduleActivity ?? scheduleLocalActivity ?? {}
      return typeof name === 'string' && typeof seq === 'number' ? [{ name, seq }] : []
    })
  }
  const start: Job = { initializeWorkflow: { workflowId: 'x', workflowType, arguments: [] } }
  const scheduled = await activate([start])
  const resolve = (name: string): Job => ({
    resolveActivity: {
      seq: scheduled.find(one => one.name === name)?.seq,
      result: { completed: {} },
      isLocal: name === 'short',
    },
  })
  return { activate, resolve, scheduled: scheduled.map(({ name }) => name), dispose: () => run.dispose() }
}

describe('the result of a local activity', () => {
  let creator: ReusableVMWorkflowCreator
  beforeAll(async () => {
    const { code } = await bundle(join(SLOW, 'workflows.ts'), [INTERCEPTORS])
    creator = await ReusableVMWorkflowCreator.create(parseWorkflowCode(code), 10_000, new Set())
  })
  afterAll(() => creator.destroy())

  test.each(['manyMicrotasks', 'manyConditions'])(
    'is handled after the results that arrived with it: %s',
    async type => {
      const apart = await startRun(creator, type)
      expect(apart.scheduled.toSorted()).toEqual(['long', 'short'])
      const first = await apart.activate([apart.resolve('long')])
      const second = await apart.activate([apart.resolve('short')])
      const names = [...first, ...second].map(({ name }) => name)
      expect(names).toEqual(['afterLong', 'afterShort'])
      await apart.dispose()
      for (const order of [
        ['short', 'long'],
        ['long', 'short'],
      ]) {
        const together = await startRun(creator, type)
        const commands = await together.activate(order.map(together.resolve))
        expect(commands.map(({ name }) => name)).toEqual(names)
        await together.dispose()
      }
    },
  )
})

test('the recorded histories replay even if each result takes 10,000 more microtasks', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const workflowBundle = await bundle(join(ROOT, 'workflows/index.ts'), [INTERCEPTORS, join(SLOW, 'interceptors.ts')])
  const histories = globSync('*/*.json', { cwd: FOLDER }).map(file => ({
    workflowId: file,
    history: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as object,
  }))
  const sinks = { tracing: { exportRun: { fn: () => undefined } } }
  const problems: [string, Error][] = []
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, histories))
    if (error) problems.push([workflowId, error])
  expect(problems).toEqual([])
})
