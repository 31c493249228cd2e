import { randomUUID } from 'node:crypto'
import { createMigrationActivities } from '../../../activities/runs/record-migration.ts'
import { listMigrations } from '../../../data/runs/job-migrations-store.ts'
import { type Harness, startHarness } from '../shared/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

test('a move that is recorded again after a crash creates one row and one event, and so does undoing it', async () => {
  const { recordMigration } = createMigrationActivities(harness)
  const job = await harness.job()
  const by = { actor: 'user:ann', people: ['user:ann'], rights: [] }
  const move = { job, id: randomUUID(), by, from_version: 1, to_version: 2, at: '2100-03-01T10:00:00.000Z' }
  const undo = { ...move, is_undo: true, from_version: 2, to_version: 1, at: '2100-03-01T11:00:00.000Z' }
  for (const record of [move, move, undo, undo]) await recordMigration(record)
  await harness.publisher.flush()
  expect(await harness.events(job)).toEqual([
    { type: 'migrated', from_version: 1, to_version: 2, by: 'user:ann', at: move.at },
    { type: 'migrated', from_version: 2, to_version: 1, by: 'user:ann', at: undo.at, undone: true },
  ])
  const moves = await harness.db.inWorkspace(job.workspace_id, tx => listMigrations(tx, job.job_id))
  expect(moves).toMatchObject([{ id: move.id, undone_by: 'user:ann', undone_at: undo.at }])
  expect(await harness.record(job)).toMatchObject({ pathway_version: 1 })
})
