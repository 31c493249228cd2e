import { Client } from 'pg'
import { leaseEntries } from '../../data/search-outbox-store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createPrincipal } from '../support/workspace.ts'

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

/** Inserts entries that are due. */
async function insertEntries(count: number): Promise<void> {
  const { workspace_id } = await createPrincipal(database.db)
  await database.db.inWorkspace(workspace_id, tx =>
    tx.query(
      `insert into search_outbox (resource_id, revision, version)
         select gen_random_uuid(), 1, 1 from generate_series(1, $1::int)`,
      [count],
    ),
  )
}

/** Leases entries. Returns their number, and how many rows of the outbox were read for it. */
async function lease(limit: number): Promise<{ leased: number; rowsRead: number }> {
  return database.db.system(async tx => {
    const countRead = async () => {
      const [{ rows } = { rows: 0 }] = await tx.query<{ rows: number }[]>(
        `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'search_outbox'`,
      )
      return rows
    }
    const before = await countRead()
    const { length } = await leaseEntries(tx, { limit, leaseSeconds: 60, isLarge: false })
    return { leased: length, rowsRead: (await countRead()) - before }
  })
}

test.each([0, 1, 5, 300])(
  'a lease reads each entry twice at most where the planner has seen %i of 1,500',
  async seen => {
    await owner.query('truncate search_outbox')
    await insertEntries(seen)
    await owner.query('vacuum analyze search_outbox')
    await insertEntries(ENTRIES - seen)
    const { leased, rowsRead } = await lease(64)
    expect(leased).toBe(64)
    expect(rowsRead).toBeLessThanOrEqual(2 * ENTRIES)
  },
)
