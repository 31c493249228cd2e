import type { Deployment } from '../../services/shared/deployments.ts'
import type { ApiClient } from '../support/clients/client.ts'
import { waitUntil } from '../support/stack/process.ts'
import { CURRENT, FORMER, type Installation, installFormer, type Version } from './support/installation.ts'
import { type OpenRuns, prepareOpenRuns } from './support/open-runs.ts'

/** With worker builds, the former code finishes its runs, and the new code starts new ones. */

let installation: Installation
let runs: OpenRuns
let client: ApiClient

beforeAll(async () => {
  installation = await installFormer()
  ;({ client } = await installation.startApi(FORMER))
  await installation.startWorker(FORMER, { WORKER_BUILD_ID: 'former' })
  await promote(FORMER, 'former')
  runs = await prepareOpenRuns(client, installation.workspace.id, installation.models)
})

afterAll(async () => {
  await runs?.close()
  await installation?.discard()
})

/** Temporal changes the deployment only when it has time, so the command is repeated as an operator does. */
const promote = (version: Version, build: string) =>
  waitUntil(() =>
    installation.admin(version, 'deployments', 'promote', build).then(
      () => true,
      () => false,
    ),
  )

const readBuild = async (id: string) => {
  const { builds } = JSON.parse(await installation.admin(CURRENT, 'deployments', '--json')) as Deployment
  return builds.find(({ build }) => build === id)
}

test('the former build finishes its runs while new runs start on the new build, which can be rolled back', async () => {
  const [first, second] = await Promise.all([runs.start(client), runs.start(client)])
  await installation.admin(CURRENT, 'migrate')
  const current = await installation.startWorker(CURRENT, { WORKER_BUILD_ID: 'current' })
  await promote(CURRENT, 'current')
  const started = await runs.start(client)
  await waitUntil(async () => ((await readBuild('current'))?.open_runs ?? 0) >= started.length - 1)
  expect(await readBuild('former')).toMatchObject({ state: 'draining' })
  await Promise.all([...first, ...started].map(run => run.finish(client)))

  const open = await runs.start(client)
  await promote(FORMER, 'former')
  const rolledBack = await runs.start(client)
  await Promise.all([...open, ...second, ...rolledBack].map(run => run.finish(client)))
  await waitUntil(async () => (await readBuild('current'))?.open_runs === 0)
  expect(await current.end()).toBe(0)
})
