import { randomUUID } from 'node:crypto'
import { insertMigration, listMigrations } from '../../../data/runs/job-migrations-store.ts'
import { at, createProjectionFixture, type ProjectionFixture } from '../../support/runs/projection-fixture.ts'

let fixture: ProjectionFixture

beforeAll(async () => {
  fixture = await createProjectionFixture()
})
afterAll(() => fixture.close())

test('if a run has moved more than 100 times, the latest 100 moves are listed, oldest first', async () => {
  const job = await fixture.startJob()
  for (let n = 1; n <= 120; n++) {
    const move = { id: randomUUID(), from_version: n, to_version: n + 1, actor: 'user:ann', at: at(n) }
    expect(await fixture.inside(tx => insertMigration(tx, job, move))).toBe(true)
  }
  const listed = await fixture.inside(tx => listMigrations(tx, job.job_id))
  expect(listed.map(({ to_version }) => to_version)).toEqual(Array.from({ length: 100 }, (_, n) => n + 22))
})
