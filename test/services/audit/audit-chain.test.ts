import { Client } from 'pg'
import { pino } from 'pino'
import { execute } from '../../../data/shared/statements.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createSealing, type Sealing } from '../../../services/audit/seal-entries.ts'
import { verifyChain } from '../../../services/audit/verify-chain.ts'
import { forEach } from '../../bench/support/for-each.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

let database: TestDatabase
let sealing: Sealing
/** The owner of the tables, who can make changes that the app role cannot. */
let owner: Client

beforeAll(async () => {
  database = await createTestDatabase()
  sealing = createSealing({ db: database.db, log: pino({ level: 'silent' }) })
  owner = new Client({ connectionString: database.adminUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const write = (principal: Principal, target: string) =>
  database.db.inWorkspace(principal.workspace_id, tx =>
    writeAudit(tx, principal, { action: 'job.start', target, after: { target }, details: { number: 1.5, text: 'ü' } }),
  )

/** Creates a workspace with ten sealed entries. Returns the ids of its entries in seal order. */
async function sealedWorkspace(): Promise<{ principal: Principal; ids: number[] }> {
  const principal = await createPrincipal(database.db)
  for (let i = 0; i < 10; i++) await write(principal, `job-${i}`)
  await sealing.sealWorkspace(principal.workspace_id)
  await owner.query(`select set_config('app.workspace_id', $1, false)`, [principal.workspace_id])
  const { rows } = await owner.query<{ audit_id: string }>(
    'select audit_id from audit_seals where workspace_id = $1 order by seq',
    [principal.workspace_id],
  )
  return { principal, ids: rows.map(({ audit_id }) => Number(audit_id)) }
}

const verify = ({ workspace_id }: Principal, head?: { seq: number; hash: string }) =>
  verifyChain(database.db, workspace_id, head)

test('entries from many concurrent writers are sealed in one order without making writers wait', async () => {
  const principal = await createPrincipal(database.db)
  const other = await createPrincipal(database.db)
  const writing = forEach([...Array(60).keys()], 8, i => write(i % 2 ? principal : other, `job-${i}`))
  const sealers = [1, 2, 3].map(async () => {
    for (let i = 0; i < 10; i++) await sealing.sealWorkspace(principal.workspace_id)
  })
  await Promise.all([writing, ...sealers])
  await sealing.sealWorkspace(principal.workspace_id)
  const report = await verify(principal)
  const total = await database.db.inWorkspace(principal.workspace_id, tx => execute(tx, 'select from audit_log'))
  expect(report).toMatchObject({ verified: total, waiting: 0, head: { seq: total } })
  expect(report.problem).toBeUndefined()
  expect((await verify(other)).waiting).toBeGreaterThanOrEqual(30)
})

const COLUMNS =
  'workspace_id, at, actor, person, key_id, action, target, brain_id, request_id, before_hash, after_hash, details'

/** Swaps the contents of two entries. */
const exchange = (one = 0, other = 0) => `
  create temp table kept on commit drop as select * from audit_log where id in (${one}, ${other});
  update audit_log set (at, target, after_hash) = (select at, target, after_hash from kept
   where kept.id = case audit_log.id when ${one} then ${other} else ${one} end) where id in (${one}, ${other})`

const TAMPERING: [what: string, kind: string, sql: (ids: number[]) => string, first: number][] = [
  ['a changed actor', 'changed', ids => `update audit_log set actor = 'user:eve' where id = ${ids[3]}`, 3],
  ['changed details', 'changed', ids => `update audit_log set details = '{"number": 2}' where id = ${ids[4]}`, 4],
  [
    'a changed time',
    'changed',
    ids => `update audit_log set at = at + interval '1 microsecond' where id = ${ids[0]}`,
    0,
  ],
  ['a removed entry', 'missing', ids => `delete from audit_log where id = ${ids[5]}`, 5],
  [
    'an entry under another id',
    'moved',
    ids => `insert into audit_log (${COLUMNS}) select ${COLUMNS} from audit_log where id = ${ids[6]};
            delete from audit_log where id = ${ids[6]}`,
    6,
  ],
  ['two swapped entries', 'moved', ids => exchange(ids[2], ids[7]), 2],
  [
    'an entry that bypasses the trigger',
    'added',
    () =>
      `set session_replication_role = replica; insert into audit_log (actor, action, target) values ('a', 'job.start', 'x')`,
    -1,
  ],
  ['a removed seal', 'resealed', ids => `delete from audit_seals where audit_id = ${ids[8]}`, 8],
  ['a rewritten seal', 'resealed', ids => `update audit_seals set row_hash = hash where audit_id = ${ids[1]}`, 1],
  [
    'an entry with a faked expiry within a year',
    'missing',
    ids =>
      `delete from audit_log where id = ${ids[9]}; update audit_seals set expired_at = now() where audit_id = ${ids[9]}`,
    9,
  ],
]

test.each(TAMPERING)('verification reports the first invalid entry after %s: %s', async (_, kind, sql, first) => {
  const { principal, ids } = await sealedWorkspace()
  expect((await verify(principal)).problem).toBeUndefined()
  await owner.query(sql(ids))
  await owner.query('set session_replication_role = origin')
  const { problem } = await verify(principal)
  expect(problem?.kind).toBe(kind)
  if (first >= 0 && kind !== 'resealed') expect(problem?.audit_id).toBe(ids[first])
  if (kind === 'resealed') expect(problem?.seq).toBe(first + 1)
})

test('a log whose end is cut off does not match the saved head', async () => {
  const { principal, ids } = await sealedWorkspace()
  const { head } = await verify(principal)
  const last = ids.at(-1)
  await owner.query(`delete from audit_log where id = ${last}; delete from audit_seals where audit_id = ${last}`)
  expect((await verify(principal)).problem).toBeUndefined()
  expect((await verify(principal, head)).problem).toMatchObject({ kind: 'resealed', seq: head?.seq })
})

test('an entry that retention removes after a year counts as valid, and its seal is kept', async () => {
  const principal = await createPrincipal(database.db)
  await write(principal, 'job-old')
  await owner.query(`select set_config('app.workspace_id', $1, false)`, [principal.workspace_id])
  await owner.query(`update audit_log set at = now() - interval '2 years' where target = 'job-old'`)
  await write(principal, 'job-new')
  await sealing.sealWorkspace(principal.workspace_id)
  await database.db.inWorkspace(principal.workspace_id, tx =>
    execute(tx, `select expire_audit_log(now() - interval '1 year', 10)`),
  )
  const report = await verify(principal)
  expect(report.expired).toBe(1)
  expect(report.problem).toBeUndefined()
})
