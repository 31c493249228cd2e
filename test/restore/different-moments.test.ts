import { setTimeout as sleep } from 'node:timers/promises'
import type { DifferenceKind, ReconcileReport } from '../../services/runs/reconcile/report.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type Backup, restoreBackup, takeBackup } from './support/backups.ts'
import { finishRuns, isInDoubt, listRepeatedCalls } from './support/checks.ts'
import { recover, strikeDisaster } from './support/drill.ts'
import { acknowledgedBefore, type Load, prepareWorkspace, startLoad } from './support/load.ts'
import { createSite, type Site } from './support/site.ts'

/** Restores in which Temporal's database comes from a different moment than the service's database. */

const LOAD_MS = 8_000
const RATE = '200M'

let site: Site

beforeAll(async () => {
  site = await createSite(2)
  await prepareWorkspace(site.workspace, site.ledger)
})
afterAll(() => site?.close())

const kindsOf = ({ differences }: ReconcileReport) => new Set<DifferenceKind>(differences.map(({ kind }) => kind))

async function restoreBoth(title: string, load: Load, own: Backup, temporal: Backup) {
  const killedAt = await strikeDisaster(site, load)
  const restore = async () => {
    await restoreBackup(site.components, own)
    await restoreBackup(site.temporal, temporal)
  }
  const lostSince = Math.min(own.consistentAt, temporal.consistentAt)
  return { killedAt, report: await recover(site, { title, restore, lostSince }) }
}

test('if Temporal is behind, every job ends and every repeated call was reported', async () => {
  const load = startLoad(site.workspace, site.ledger)
  await waitUntil(() => load.answers.length > 2)
  const temporal = await takeBackup(site.temporal, 'temporal-1', RATE)
  await sleep(LOAD_MS)
  const own = await takeBackup(site.components, 'own-1', RATE)
  const { killedAt, report } = await restoreBoth('Temporal behind', load, own, temporal)
  expect(kindsOf(report)).toContain('no_run')
  expect(kindsOf(report)).toContain('job_ended')
  expect([...kindsOf(report)].filter(kind => kind === 'no_job' || kind === 'answer_not_recorded')).toEqual([])
  const { runs } = acknowledgedBefore(load, own.consistentAt)
  const jobs = await finishRuns(site, runs)
  // Each run either completes, or fails with the reason that Temporal no longer has it.
  const codes = new Set(jobs.filter(({ status }) => status === 'failed').map(({ error }) => error?.code))
  expect([...codes].filter(code => code !== 'RECORD_GONE' && code !== 'NEVER_STARTED')).toEqual([])
  expect(listRepeatedCalls(site, killedAt).filter(key => !isInDoubt(report, key))).toEqual([])
  await expectAgreement()
})

test('if Temporal is ahead, runs without a job are found, and every job ends', async () => {
  const load = startLoad(site.workspace, site.ledger)
  await waitUntil(() => load.answers.length > 2)
  const own = await takeBackup(site.components, 'own-2', RATE)
  await sleep(LOAD_MS)
  const temporal = await takeBackup(site.temporal, 'temporal-2', RATE)
  const { killedAt, report } = await restoreBoth('Temporal ahead', load, own, temporal)
  expect(kindsOf(report)).toContain('no_job')
  expect(kindsOf(report)).toContain('run_ended')
  const { runs } = acknowledgedBefore(load, own.consistentAt)
  const jobs = await finishRuns(site, runs)
  expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(listRepeatedCalls(site, killedAt).filter(key => !isInDoubt(report, key))).toEqual([])
  await expectAgreement()
})

/** Expects that a later comparison finds no differences. */
async function expectAgreement(): Promise<void> {
  await site.reconcile('--apply', '--terminate')
  const { differences } = await site.reconcile()
  expect(differences).toEqual([])
}
