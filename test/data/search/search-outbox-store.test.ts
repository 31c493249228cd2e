import { Client } from 'pg'
import { execute } from '../../../data/shared/statements.ts'
import { leaseEntries } from '../../../data/search/search-outbox-store.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { countingRowsRead } from '../../support/stack/rows-read.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const ENTRIES = 1_500

let database: TestDatabase
let owner: Client

beforeAll(async () => {
  database = await createTestDatabase(5)
  owner = new Client({ connectionString: database.adminUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** Inserts due entries. */
async function insertEntries(count: number): Promise<void> {
  const { workspace_id } = await createPrincipal(database.db)
  await database.db.inWorkspace(workspace_id, tx =>
    execute(
      tx,
      `insert into search_outbox (resource_id, revision, version)
         select gen_random_uuid(), 1, 1 from generate_series(1, $1::int)`,
      [count],
    ),
  )
}

/** Leases entries. Returns their number, and the number of outbox rows read. */
const lease = (limit: number): Promise<{ leased: number; rowsRead: number }> =>
  database.db.system(async tx => {
    const work = () => leaseEntries(tx, { limit, leaseSeconds: 60, isLarge: false })
    const { result, rowsRead } = await countingRowsRead(tx, 'search_outbox', work)
    return { leased: result.length, rowsRead }
  })

test.each([0, 1, 5, 300])('a lease reads each entry at most twice if the planner has seen %i of 1,500', async seen => {
  await owner.query('truncate search_outbox')
  await insertEntries(seen)
  await owner.query('vacuum analyze search_outbox')
  await insertEntries(ENTRIES - seen)
  const { leased, rowsRead } = await lease(64)
  expect(leased).toBe(64)
  expect(rowsRead).toBeLessThanOrEqual(2 * ENTRIES)
})
