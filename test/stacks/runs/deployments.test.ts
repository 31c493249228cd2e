import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Deployment } from '../../../services/shared/deployments.ts'
import { withEarlyContinueAsNew, withResult } from '../../support/stack/bundles.ts'
import { startProcess, type TestProcess, waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { startStack } from '../../support/stack/stack.ts'
import { openContext } from '../../support/stack/use-stack.ts'

const ADMIN = join(import.meta.dirname, '../../../api/admin.ts')

const context = openContext(() =>
  withEarlyContinueAsNew('moves', WORKFLOW_BUNDLE =>
    startStack({
      env: { WORKFLOW_BUNDLE, WORKER_BUILD_ID: 'a', TEMPORAL_DEPLOYMENT_NAME: `test/${randomUUID()}` },
    }),
  ),
)
let later: TestProcess | undefined
afterAll(() => later?.end())

const admin = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...context.stack.env }
  return (await promisify(execFile)(process.execPath, [ADMIN, 'deployments', ...args], { env })).stdout
}

const read = async () => JSON.parse(await admin('--json')) as Deployment

/** Starts a run that asks a question, waits for an event and ends with `first`. */
const start = (title: string) =>
  startRun(context.workspace.client, {
    ...pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval' },
        { id: 'sign', type: 'wait', event: 'signed' },
        { id: 'z', type: 'end', output: 'first' },
      ],
      'ask.approve > sign',
      'ask.reject > z',
      'sign > z',
    ),
    run_title: title,
  })

async function finishRun(jobId: string): Promise<unknown> {
  const { client, id } = context.workspace
  const [question] = await asked(client, jobId)
  expect((await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })).status).toBe(200)
  await waitUntil(async () => (await client.post(`/v1/jobs/${jobId}/resume`, { event: 'signed' })).status === 200)
  return (await jobWith(client, jobId)).result
}

test('a run stays with its build or moves at its continue-as-new, new runs start with the promoted build, and the earlier build drains', async () => {
  const { client } = context.workspace
  const early = await start('waits for a build')
  expect(JSON.parse(await admin('promote', 'a', '--json'))).toEqual({ build: 'a', percent: null })
  const [stays, moves] = await Promise.all([start('stays'), start('moves')])
  await Promise.all([early, stays, moves].map(jobId => jobWith(client, jobId, 'waiting')))

  later = await withResult('second', WORKFLOW_BUNDLE =>
    startProcess(
      'activities/worker.ts',
      { ...context.stack.env, WORKFLOW_BUNDLE, WORKER_BUILD_ID: '', TEMPORAL_WORKER_BUILD_ID: 'b' },
      output => output.includes('"worker is ready"'),
    ),
  )
  await admin('promote', 'b')
  expect(await finishRun(await start('new'))).toBe('second')
  await waitUntil(async () => (await read()).builds.find(({ build }) => build === 'a')?.open_runs === 3)
  expect(await admin()).toMatch(/start on build b\.\n\nbuild .*\nb +current .* 0 +1\na +draining .* 3 +1\n$/)

  expect(await finishRun(moves)).toBe('second')
  expect(await finishRun(stays)).toBe('first')
  expect(await finishRun(early)).toBe('first')
  const former = await waitUntil(async () =>
    (await read()).builds.find(({ build, state }) => build === 'a' && state === 'drained'),
  )
  expect(former).toMatchObject({ open_runs: 0, workers: 1 })

  await expect(admin('promote', 'c', '--wait', '0')).rejects.toMatchObject({ code: 1 })
  await expect(admin('remove', 'b')).rejects.toMatchObject({
    stderr: expect.stringContaining('Temporal rejected the change'),
  })
})
