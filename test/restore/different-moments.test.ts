import { setTimeout as sleep } from 'node:timers/promises'
import type { Difference, DifferenceKind, ReconcileReport } from '../../services/runs/reconcile/report.ts'
import { answer, asked, pathway, startRun } from '../support/runs/runs.ts'
import { waitUntil } from '../support/stack/process.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../support/webhooks/webhook-endpoint.ts'
import { type Backup, restoreBackup, takeBackup } from './support/backups.ts'
import { expectAnswers, finishRuns, isInDoubt, listRepeatedCalls } from './support/checks.ts'
import { recover, strikeDisaster } from './support/drill.ts'
import { acknowledgedBefore, type Load, prepareWorkspace, startLoad } from './support/load.ts'
import { createSite, type Site } from './support/site.ts'

/** Restores in which Temporal's database comes from a different moment than the service's database. */

const LOAD_MS = 8_000
const RATE = '200M'
/** More attempts than there are before the disaster. */
const REFUSALS = 20

let site: Site
let endpoint: WebhookEndpoint
let load: Load

beforeAll(async () => {
  ;[site, endpoint] = await Promise.all([createSite(2), startWebhookEndpoint()])
  await prepareWorkspace(site.workspace, site.ledger)
})
afterEach(() => load?.stop())
afterAll(() => Promise.all([site?.close(), endpoint?.close()]))

const kindsOf = ({ differences }: ReconcileReport) => new Set<DifferenceKind>(differences.map(({ kind }) => kind))

async function restoreBoth(title: string, own: Backup, temporal: Backup) {
  const killedAt = await strikeDisaster(site, load)
  endpoint.reply('/refused')
  const receivedBefore = endpoint.received.length
  const restore = async () => {
    await restoreBackup(site.components, own)
    await restoreBackup(site.temporal, temporal)
  }
  const lostSince = Math.min(own.consistentAt, temporal.consistentAt)
  return { killedAt, receivedBefore, report: await recover(site, { title, restore, lostSince }) }
}

/** Answers the only open question of a run. Returns its id. */
async function approve(jobId: string): Promise<string> {
  const { client, id } = site.workspace
  const [question] = await asked(client, jobId)
  const interventionId = question?.interventionId ?? ''
  expect(await answer(client, id, jobId, interventionId, { action: 'approve' })).toMatchObject({ status: 200 })
  return interventionId
}

/** Cancels a run whose event an endpoint refuses. Returns the first request for this event. */
async function sendRefusedEvent() {
  const { client } = site.workspace
  endpoint.reply('/refused', ...Array.from({ length: REFUSALS }, () => ({ status: 503 })))
  const webhook = { url: `${endpoint.url}/refused`, event_types: ['job.cancelled'] }
  expect(await client.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const jobId = await startRun(client, pathway([{ id: 'hold', type: 'wait', event: 'never' }]))
  expect(await client.post(`/v1/jobs/${jobId}/cancel`)).toMatchObject({ status: 200 })
  const [request] = await endpoint.until('/refused', 1)
  return request
}

test('if Temporal is behind, every job ends and every repeated call was reported', async () => {
  const { client } = site.workspace
  load = startLoad(site.workspace, site.ledger)
  const questions = [
    { id: 'first', type: 'human', kind: 'approval' },
    { id: 'second', type: 'human', kind: 'approval' },
    { id: 'done', type: 'end', output: 'decided twice' },
  ]
  const edges = ['first.approve > second', 'first.reject > done', 'second.approve > done', 'second.reject > done']
  const decided = await startRun(client, pathway(questions, ...edges))
  await asked(client, decided)
  await waitUntil(() => load.answers.length > 2)
  const temporal = await takeBackup(site.temporal, 'temporal-1', RATE)
  const first = await approve(decided)
  const refused = await sendRefusedEvent()
  await sleep(LOAD_MS)
  const own = await takeBackup(site.components, 'own-1', RATE)
  const { killedAt, receivedBefore, report } = await restoreBoth('Temporal behind', own, temporal)
  expect(kindsOf(report)).toContain('job_ended')
  expect([...kindsOf(report)].filter(kind => kind === 'no_job' || kind === 'answer_not_recorded')).toEqual([])
  // The run counts the recorded answer again, and the same event is delivered again.
  const ofRun = report.differences.filter(({ id }) => id === decided)
  expect(ofRun).toMatchObject([{ kind: 'answer_not_counted', detail: expect.stringContaining(first) }])
  expect(kindsOf(report)).toContain('delivery_stopped')
  const { headers: { 'webhook-id': eventId } = {} } = refused ?? {}
  await waitUntil(() =>
    endpoint.received.slice(receivedBefore).some(({ headers }) => headers['webhook-id'] === eventId),
  )
  const { runs, answers } = acknowledgedBefore(load, own.consistentAt)
  const at = own.consistentAt
  const jobs = await finishRuns(site, [...runs, { job_id: decided, at }])
  expect(jobs.find(({ job_id }) => job_id === decided)).toMatchObject({ status: 'completed', result: 'decided twice' })
  await expectAnswers(site, [...answers, { job_id: decided, interventionId: first, at }])
  // Each run either completes, or fails with the reason that Temporal no longer has it. A job of the last minute fails
  // later, because its run may still be starting.
  const codes = new Set(jobs.filter(({ status }) => status === 'failed').map(({ error }) => error?.code))
  expect(codes).toContain('RECORD_GONE')
  expect([...codes].filter(code => code !== 'RECORD_GONE' && code !== 'NEVER_STARTED')).toEqual([])
  expect(listRepeatedCalls(site, killedAt).filter(key => !isInDoubt(report, key))).toEqual([])
  await untilAgreement(report)
})

test('if Temporal is ahead, runs without a job are found, and every job ends', async () => {
  load = startLoad(site.workspace, site.ledger)
  await waitUntil(() => load.answers.length > 2)
  const own = await takeBackup(site.components, 'own-2', RATE)
  await sleep(LOAD_MS)
  const temporal = await takeBackup(site.temporal, 'temporal-2', RATE)
  const { killedAt, report } = await restoreBoth('Temporal ahead', own, temporal)
  expect(kindsOf(report)).toContain('no_job')
  expect(kindsOf(report)).toContain('run_ended')
  const { runs } = acknowledgedBefore(load, own.consistentAt)
  const jobs = await finishRuns(site, runs)
  // Nobody can answer a question that only Temporal has, so these runs were terminated.
  const isTerminated = new Set(report.differences.flatMap(({ kind, id }) => (kind === 'wait_not_recorded' ? [id] : [])))
  expect(jobs.filter(({ job_id, status }) => status !== 'completed' && !isTerminated.has(job_id))).toEqual([])
  expect(listRepeatedCalls(site, killedAt).filter(key => !isInDoubt(report, key))).toEqual([])
  await untilAgreement(report)
})

/** Repairs until no differences are left, except answers that were counted in the lost period. */
async function untilAgreement(report: ReconcileReport): Promise<void> {
  const accepted = new Set(
    report.differences.flatMap(({ kind, detail }) => (kind === 'answer_not_recorded' ? [detail] : [])),
  )
  let last: Difference[] = []
  await waitUntil(
    async () => {
      const { differences } = await site.reconcile('--apply', '--terminate')
      last = differences.filter(({ kind, detail }) => kind !== 'answer_not_recorded' || !accepted.has(detail))
      return last.length === 0
    },
    undefined,
    () => JSON.stringify(last),
  )
}
