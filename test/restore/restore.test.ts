import { setTimeout as sleep } from 'node:timers/promises'
import type { Difference, ReconcileReport } from '../../services/runs/reconcile/report.ts'
import { waitUntil } from '../support/stack/process.ts'
import { archiveWal, restoreBackup, takeBackup } from './support/backups.ts'
import { expectAnswers, expectDocuments, finishRuns, isInDoubt, listRepeatedCalls } from './support/checks.ts'
import { recover, strikeDisaster } from './support/drill.ts'
import { acknowledgedBefore, type Load, prepareWorkspace, startLoad } from './support/load.ts'
import { createSite, type Site } from './support/site.ts'

/** Backups under load, disasters and restores. `npm run test:restore` runs this file. */

const LOAD_MS = 6_000
/** Limits the transfer, so that the load continues during the backup. */
const RATE = '20M'

let site: Site
let load: Load

beforeAll(async () => {
  site = await createSite(1)
  await prepareWorkspace(site.workspace, site.ledger)
})
afterEach(() => load?.stop())
afterAll(() => site?.close())

/** Expects that nothing acknowledged before `time` is lost, and that every repeated call was reported. */
async function expectNothingLost(time: number, killedAt: number, report: ReconcileReport): Promise<void> {
  const { runs, answers, documents } = acknowledgedBefore(load, time)
  expect(Math.min(runs.length, answers.length, documents.length)).toBeGreaterThan(0)
  const began = Date.now()
  const jobs = await finishRuns(site, runs)
  expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([])
  await expectAnswers(site, answers)
  await expectDocuments(site, documents)
  const repeated = listRepeatedCalls(site, killedAt)
  expect(repeated.filter(key => !isInDoubt(report, key))).toEqual([])
  // Calls that are certainly sent again were sent again.
  const sent = new Set(site.ledger.requests.filter(({ at }) => at >= killedAt).map(({ key }) => key))
  const certain = report.effects_in_doubt.filter(
    ({ type, sent_again, job_id }) =>
      type === 'http' && sent_again === 'yes' && runs.some(run => run.job_id === job_id),
  )
  expect(certain.filter(({ idempotency_key }) => !sent.has(idempotency_key ?? ''))).toEqual([])
  expect(site.ledger.duplicates().filter(({ path }) => path !== '/hook')).toEqual([])
  process.stderr.write(
    `${runs.length} runs, ${answers.length} answers and ${documents.length} documents are there; ` +
      `${repeated.length} calls were repeated, ${report.effects_in_doubt.length} effects were in doubt; ` +
      `runs ended after ${((Date.now() - began) / 1_000).toFixed(1)} s\n`,
  )
}

/** Lists differences other than those of requests that were in progress at the moment of the backup. */
function listUnexplained({ differences }: ReconcileReport): Difference[] {
  const acknowledged = new Set(load.runs.map(({ job_id }) => job_id))
  return differences.filter(
    ({ kind, id, detail }) =>
      kind !== 'answer_not_counted' &&
      kind !== 'answer_not_recorded' &&
      !(kind === 'no_run' && detail === 'NEVER_STARTED' && !acknowledged.has(id)),
  )
}

test('a base backup restores everything that was acknowledged before the backup ended', async () => {
  load = startLoad(site.workspace, site.ledger)
  await waitUntil(() => load.answers.length > 2)
  const backup = await takeBackup(site.components, 'base-1', RATE)
  const during = acknowledgedBefore(load, backup.consistentAt).runs.length
  await sleep(LOAD_MS)
  const killedAt = await strikeDisaster(site, load)
  process.stderr.write(
    `base backup of ${(backup.bytes / 1e6).toFixed(0)} MB in ${backup.seconds.toFixed(1)} s; ` +
      `lost: ${load.runs.length - during} of ${load.runs.length} runs in ${((killedAt - backup.consistentAt) / 1_000).toFixed(1)} s\n`,
  )
  const report = await recover(site, {
    title: 'restore of a base backup',
    restore: () => restoreBackup(site.components, backup),
    lostSince: backup.consistentAt,
  })
  expect(listUnexplained(report)).toEqual([])
  await expectNothingLost(backup.consistentAt, killedAt, report)
  // The schedule continues.
  const before = site.ledger.requests.filter(({ path }) => path === '/scheduled').length
  await waitUntil(() => site.ledger.requests.filter(({ path }) => path === '/scheduled').length > before + 1)
})

test('with archived WAL, a restore to a point in time has everything that was acknowledged before it', async () => {
  const archive = await archiveWal(site.components)
  load = startLoad(site.workspace, site.ledger)
  await waitUntil(() => load.answers.length > 2)
  const backup = await takeBackup(site.components, 'base-2', RATE)
  await sleep(LOAD_MS)
  const until = Date.now()
  await sleep(LOAD_MS / 2)
  await archive.catchUp()
  const killedAt = await strikeDisaster(site, load)
  await archive.stop()
  const report = await recover(site, {
    title: 'restore to a point in time',
    restore: () => restoreBackup(site.components, backup, { ...archive, until }),
    lostSince: until,
  })
  expect(listUnexplained(report)).toEqual([])
  await expectNothingLost(until, killedAt, report)
})

test.each(['redis', 'elasticsearch'] as const)('without %s, its data is rebuilt while runs continue', async name => {
  load = startLoad(site.workspace, site.ledger)
  await sleep(LOAD_MS / 2)
  await site.components.kill(name)
  site.lose(name)
  await sleep(LOAD_MS / 2)
  await site.components.startOne(name)
  await sleep(LOAD_MS / 2)
  await load.stop()
  await site.admin('reindex', '--json')
  const jobs = await finishRuns(site, load.runs)
  expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([])
  await expectAnswers(site, load.answers)
  await expectDocuments(site, load.documents)
})
