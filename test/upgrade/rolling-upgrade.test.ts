import { setTimeout as sleep } from 'node:timers/promises'
import type { JobDetail } from '../../contract/runs/job.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'
import { migrations as released } from '../../migrations/all.ts'
import type { Change, Migration } from '../../migrations/migration.ts'
import { migrate } from '../../migrations/runner.ts'
import { type ApiClient, sendUntilTaken } from '../support/clients/client.ts'
import { ingest } from '../support/documents/documents.ts'
import { asked, answer, askThenEnd, jobWith, pathway, readEvents, startRun } from '../support/runs/runs.ts'
import { type TestProcess, waitUntil } from '../support/stack/process.ts'
import { type Api, CURRENT, FORMER, type Installation, installFormer } from './support/installation.ts'
import { type OpenRun, type OpenRuns, prepareOpenRuns } from './support/open-runs.ts'

/**
 * An installation of the former version is upgraded while it serves, and downgraded again. Runs that one version
 * started are finished by the other one. The tests are the steps, in order.
 */

/** Migrations of the next version, so that the schema always changes. */
const added: Migration[] = (
  [
    {
      kind: 'schema',
      up: `alter table jobs add column upgrade_note text default 'none';
           alter table interventions add column upgrade_note text`,
      down: 'alter table jobs drop column upgrade_note; alter table interventions drop column upgrade_note',
      loses: 'upgrade notes',
    },
    { kind: 'index', index: 'jobs_by_upgrade_note', definition: 'on jobs (workspace_id, upgrade_note)' },
    {
      kind: 'rows',
      update: `update interventions set upgrade_note = 'filled' where id in
                 (select id from interventions where upgrade_note is null limit 10)`,
    },
  ] satisfies Change[]
).map((change, i) => ({ id: (released.at(-1)?.id ?? 0) + i + 1, name: 'Next', oldestVersion: '0.1.0', change }))

const BULK_RUNS = 8
const SENTENCE = 'The harbour master keeps the tide tables in the green cupboard.'

let installation: Installation
let runs: OpenRuns
/** The APIs that receive requests, as behind a load balancer. */
const apis: Api[] = []
const workers: TestProcess[] = []
/** Runs that are still open, by the step that started them. */
const open: Record<string, OpenRun[][]> = {}
let streamed: { jobId: string; lastId: string; ids: string[] }
let schedule: { id: string; firings: number }
let bulkJob: string
let trafficError: unknown
const traffic: string[] = []
const stopTraffic = new AbortController()

let turn = 0
/** Sends each request to the next API. */
const balanced: ApiClient = new Proxy({} as ApiClient, {
  get: (_target, name: keyof ApiClient) => {
    const api = apis[turn++ % apis.length]
    return api?.client[name]
  },
})

/** Starts short runs until the end of the test, so that each step happens under load. */
async function sendTraffic(): Promise<void> {
  const definition = pathway([{ id: 'sum', type: 'transform', with: { value: '${input.n + 1}' } }])
  for (let n = 0; !stopTraffic.signal.aborted; n++) {
    const jobId = await startRun(balanced, definition, { n })
    traffic.push(jobId)
    const job = await jobWith(balanced, jobId)
    if (job.status !== 'completed') throw new Error(`${jobId}: ${JSON.stringify(job.error)}`)
    await sleep(500)
  }
}

async function startAll(step: string, copies: number): Promise<void> {
  open[step] = await Promise.all(Array.from({ length: copies }, () => runs.start(balanced)))
}

/** Finishes one run of each kind that this step started. */
async function finishOne(...steps: string[]): Promise<void> {
  const batch = steps.flatMap(step => {
    const copies = open[step]?.shift()
    if (!copies) throw new Error(`No more runs of ${step}`)
    return copies
  })
  await Promise.all(batch.map(run => run.finish(balanced)))
}

const listFirings = async () =>
  (await balanced.get<{ data: FiringView[] }>(`/v1/triggers/${schedule.id}/runs?limit=200`)).body.data

/** Waits until the schedule has started another run, and all of its runs so far were started. */
async function nextFiring(): Promise<void> {
  const firings = await waitUntil(async () => {
    const current = await listFirings()
    return current.length > schedule.firings && current
  })
  schedule.firings = firings.length
  expect(firings.map(({ decision }) => decision)).toEqual(firings.map(() => 'fired'))
}

async function removeApi(version: string): Promise<void> {
  const index = apis.findIndex(api => api.version === version)
  const [api] = apis.splice(index, 1)
  expect(await api?.end()).toBe(0)
}

beforeAll(async () => {
  installation = await installFormer()
  const [api, worker] = await Promise.all([installation.startApi(FORMER), installation.startWorker(FORMER)])
  apis.push(api)
  workers.push(worker)
})

afterAll(async () => {
  stopTraffic.abort()
  await runs?.close()
  await installation?.discard()
})

test('the former version opens runs, a bulk job, a schedule, a stream and a document', async () => {
  runs = await prepareOpenRuns(balanced, installation.workspace.id, installation.models)
  await startAll('former', 4)

  const hold = pathway([{ id: 'hold', type: 'wait', event: 'never', timeout: 'PT1H' }])
  const { body: held } = await balanced.post<{ id: string }>('/v1/pathways', { title: 'Held', definition: hold })
  const targets = await Promise.all(
    Array.from({ length: BULK_RUNS }, async () => {
      const { body } = await balanced.post<{ job_id: string }>(`/v1/pathways/${held.id}/execute`, {})
      return body.job_id
    }),
  )
  await Promise.all(targets.map(jobId => jobWith(balanced, jobId, 'waiting')))
  const bulk = await balanced.post<{ job_id: string }>('/v1/jobs/bulk', {
    operation: 'cancel',
    filter: { pathway_id: held.id },
    per_second: 0.1,
  })
  expect(bulk.status).toBe(202)
  bulkJob = bulk.body.job_id

  const report = pathway([{ id: 'z', type: 'end', output: 'reported' }])
  const { body: target } = await balanced.post<{ id: string }>('/v1/pathways', { title: 'Report', definition: report })
  const trigger = await balanced.post<{ id: string }>('/v1/triggers', {
    title: 'Often',
    trigger_type: 'schedule',
    target: { type: 'pathway', ref: target.id },
    schedule: { interval: { every: 'PT5S' }, overlap: 'allow' },
  })
  schedule = { id: trigger.body.id, firings: 0 }
  await nextFiring()

  const jobId = await startRun(balanced, askThenEnd('streamed'))
  await asked(balanced, jobId)
  const ids: string[] = []
  for await (const { id } of await balanced.sse(`/v1/jobs/${jobId}/stream`)) {
    if (id !== undefined) ids.push(id)
    if (ids.length === 2) break
  }
  streamed = { jobId, ids, lastId: ids[1] ?? '' }

  const { status } = await ingest(balanced, { title: 'Harbour', text: SENTENCE })
  expect([200, 201, 202]).toContain(status)
  sendTraffic().catch((error: unknown) => {
    trafficError = error
  })
})

test('the new version migrates while the former version serves', async () => {
  expect(await installation.admin(CURRENT, 'migrate', '--plan')).toContain('The database ')
  await installation.admin(CURRENT, 'migrate')
  const { DATABASE_ADMIN_URL: admin = '', DATABASE_URL: app = '' } = installation.env
  const { applied } = await migrate(admin, app, { migrations: [...released, ...added] })
  expect(applied).toHaveLength(added.length)
  await finishOne('former')
  await startAll('migrated', 2)
  await nextFiring()
})

test('APIs of both versions serve the same runs', async () => {
  apis.push(await installation.startApi(CURRENT))
  const [former, current] = apis
  await finishOne('former')
  await startAll('two APIs', 2)

  const { jobId, lastId } = streamed
  const [question] = await asked(balanced, jobId)
  const resumed = current?.client.sse(`/v1/jobs/${jobId}/stream`, { headers: { 'Last-Event-ID': lastId } })
  const approval = { action: 'approve' }
  await sendUntilTaken(() =>
    answer(former?.client ?? balanced, installation.workspace.id, jobId, question?.interventionId ?? '', approval),
  )
  for await (const { id } of (await resumed) ?? []) if (id !== undefined) streamed.ids.push(id)
  for (const api of apis) expect((await readEvents(api.client, jobId)).map(({ id }) => id)).toEqual(streamed.ids)

  const [before, after] = await Promise.all(apis.map(api => api.client.get<JobDetail>(`/v1/jobs/${jobId}`)))
  expect(after?.body).toMatchObject({ ...before?.body })
})

test('workers of both versions continue the same runs', async () => {
  workers.push(await installation.startWorker(CURRENT))
  await finishOne('migrated', 'two APIs')
  await startAll('two workers', 2)
  await nextFiring()
})

test('the new version finishes runs of the former one', async () => {
  await Promise.all([removeApi(FORMER), workers.shift()?.end()])
  await finishOne('former', 'two workers')
  await startAll('current', 2)
  await nextFiring()

  const bulk = await jobWith(balanced, bulkJob)
  expect(bulk).toMatchObject({ status: 'completed', bulk: { matched: BULK_RUNS, done: BULK_RUNS, failed: 0 } })
  await waitUntil(async () => {
    const { body } = await balanced.post<{ chunks: unknown[] }>('/v1/search', { query: 'where are the tide tables?' })
    return JSON.stringify(body).includes('green cupboard')
  })
})

test('the former version replaces the new one again, on the new schema', async () => {
  apis.push(await installation.startApi(FORMER))
  workers.push(await installation.startWorker(FORMER))
  await Promise.all([removeApi(CURRENT), workers.shift()?.end()])
  await finishOne('former', 'migrated', 'two APIs', 'two workers', 'current')
  await nextFiring()
})

test('the migrations are reverted under the former version, and nothing is lost', async () => {
  const { DATABASE_ADMIN_URL: admin = '', DATABASE_URL: app = '' } = installation.env
  const options = { migrations: [...released, ...added], down: true, to: released.at(-1)?.id ?? 0 }
  const { reverted } = await migrate(admin, app, options)
  expect(reverted).toHaveLength(added.length)
  await finishOne('current')
  await nextFiring()

  stopTraffic.abort()
  expect(trafficError).toBeUndefined()
  expect(Object.values(open).flat(2)).toEqual([])
  expect(runs.listRepeatedEffects()).toEqual([])
  const { body: failed } = await balanced.get<{ jobs: JobDetail[] }>('/v1/jobs?status=failed&limit=100')
  expect(failed.jobs.filter(({ title }) => title !== 'Held')).toEqual([])
  process.stderr.write(`${traffic.length} short runs and ${schedule.firings} scheduled runs during the steps\n`)
  for (const version of [FORMER, CURRENT]) {
    const report = await installation.admin(version, 'audit', 'verify', '--workspace', installation.workspace.slug)
    expect(report).toMatch(/entries match their seals/)
  }
})
