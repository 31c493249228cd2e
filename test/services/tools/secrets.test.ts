import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { execute, select } from '../../../data/shared/statements.ts'
import { type Columns, pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { secretsTable } from '../../../data/tools/tables.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createSecretEncryption } from '../../../services/tools/secrets/encryption.ts'
import { reencryptSecrets } from '../../../services/tools/secrets/reencrypt.ts'
import { createSecretSource } from '../../../services/tools/secrets/secret-source.ts'
import { createSecretsService } from '../../../services/tools/secrets/secrets.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

/** Workspace secrets and operator secrets, in a real database. */

const KEYS = { former: randomBytes(32), current: randomBytes(32) }
const PAGE = { limit: 200, offset: 0 }
const hosts = ['api.example.com']

let database: TestDatabase
let principal: Principal

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  principal = await createPrincipal(database.db)
})
afterAll(() => database.drop())

type KeyId = keyof typeof KEYS

function open({ secrets = {}, keys = KEYS, keyId = 'current' }: Settings = {}) {
  const encryption = createSecretEncryption({
    SECRETS_ENCRYPTION_KEYS: keys ?? undefined,
    SECRETS_ENCRYPTION_KEY_ID: keys === null ? undefined : keyId,
  })
  const deps = { db: database.db, secrets, encryption }
  const source = createSecretSource({ ...deps, log: pino({ level: 'silent' }) })
  return { service: createSecretsService(deps), find: (name: string) => findOne(source, name), source, encryption }
}

interface Settings {
  secrets?: Secrets
  /** Null for a service without keys. */
  keys?: Record<string, Buffer<ArrayBuffer>> | null
  keyId?: KeyId
}

const findOne = async (source: ReturnType<typeof createSecretSource>, name: string) =>
  (await source.find(principal.workspace_id, [name])).get(name)

const run = (statement: string, parameters: unknown[] = []) =>
  database.db.inWorkspace(principal.workspace_id, tx => execute(tx, statement, parameters))
const read = <C extends Columns>(columns: C, statement: string, parameters: unknown[] = []) =>
  database.db.inWorkspace(principal.workspace_id, tx => select(tx, columns, statement, parameters))

test('an operator secret cannot be replaced, and one that is set later overrides the workspace secret', async () => {
  const { service } = open()
  await service.save(principal, 'crm', { value: 'of the workspace', hosts })
  const secrets = { crm: { value: 'of the operator', hosts: ['crm.example.com'] } }
  const later = open({ secrets })
  expect(await later.find('crm')).toMatchObject({ value: 'of the operator', hosts: ['crm.example.com'] })
  const { data } = await later.service.list(principal, PAGE)
  expect(data).toMatchObject([{ name: 'crm', hosts, is_overridden: true }])
  await expect(later.service.save(principal, 'crm', { value: 'x', hosts })).rejects.toMatchObject({ status: 409 })
  await later.service.remove(principal, 'crm')
  expect((await later.service.list(principal, PAGE)).data).toEqual([])
})

test('an operator secret limited to other workspaces neither hides nor reveals anything', async () => {
  const secrets = { crm: { value: 'of another', hosts, workspaces: ['another'] } }
  const { service, find, source } = open({ secrets })
  expect(await find('crm')).toBe('not for this workspace')
  expect(await source.findMissing(principal, ['crm'])).toEqual(new Set(['crm']))
  expect(await service.save(principal, 'crm', { value: 'own', hosts })).toMatchObject({ is_overridden: false })
  expect(await find('crm')).toEqual({ value: 'own', hosts })
  expect(await source.findMissing(principal, ['crm', 'none'])).toEqual(new Set(['none']))
  const bySlug = { crm: { value: 'of the operator', hosts, workspaces: [principal.workspace_slug] } }
  expect(await open({ secrets: bySlug }).find('crm')).toMatchObject({ value: 'of the operator' })
})

test('a value is stored encrypted, and works only for its workspace, name and hosts', async () => {
  const { service, find } = open()
  await service.save(principal, 'crm', { value: 'nimbus4417', hosts })
  const [stored] = await read(pick(secretsTable, 'value', 'name'), 'select value, name from secrets')
  expect(String(stored?.value)).not.toContain('nimbus4417')
  await run(
    'insert into secrets (name, hosts, value, key_id, created_by, updated_by) select $1, hosts, value, key_id, $1, $1 from secrets',
    ['copy'],
  )
  expect(await find('copy')).toBe('cannot be decrypted')
  expect(await find('crm')).toEqual({ value: 'nimbus4417', hosts })
  await run(`update secrets set hosts = '{evil.example}'`)
  expect(await find('crm')).toBe('cannot be decrypted')
})

test('the audit log contains no value, and no hash that would allow guessing the value', async () => {
  const { service } = open()
  for (const value of ['0000', '0001']) await service.save(principal, 'pin', { value, hosts })
  await service.remove(principal, 'pin')
  const rows = await read(
    pick(auditLogTable, 'action', 'target', 'before_hash', 'after_hash', 'details'),
    'select action, target, before_hash, after_hash, details from audit_log where target = $1 order by id',
    ['pin'],
  )
  expect(rows.map(({ action }) => action)).toEqual(['secret.create', 'secret.update', 'secret.delete'])
  expect(rows[0]?.after_hash).toBe(rows[1]?.before_hash)
  expect(rows[1]?.after_hash).toBe(rows[2]?.before_hash)
  expect(rows[0]?.after_hash).not.toBe(rows[1]?.after_hash)
  expect(JSON.stringify(rows)).not.toMatch(/000[01]/)
})

test('during key rotation, earlier keys decrypt until all secrets have been encrypted again', async () => {
  await open({ keyId: 'former' }).service.save(principal, 'crm', { value: 'kept', hosts })
  const { find, encryption } = open()
  expect(await find('crm')).toEqual({ value: 'kept', hosts })
  const only = { keys: { current: KEYS.current } }
  expect(await open(only).find('crm')).toBe('cannot be decrypted')
  if (!encryption) throw new Error('there is no encryption')
  expect(await reencryptSecrets(database.db, encryption)).toBeGreaterThanOrEqual(1)
  expect(await reencryptSecrets(database.db, encryption)).toBe(0)
  expect(await open(only).find('crm')).toEqual({ value: 'kept', hosts })
})

test('a workspace has at most a hundred secrets, even if they are created concurrently', async () => {
  const { service } = open()
  const save = (name: string) => service.save(principal, name, { value: 'x', hosts })
  for (let i = 0; i < 80; i++) await save(`secret-${i}`)
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => save(`at-once-${i}`)))
  const refused = outcomes.flatMap(outcome =>
    outcome.status === 'rejected' ? (outcome.reason as { status: number }).status : [],
  )
  expect(refused).toEqual(Array.from({ length: 10 }, () => 409))
  const { data, total } = await service.list(principal, { limit: 3, offset: 99 })
  expect([data.length, total]).toEqual([1, 100])
})

test('without a key, nothing is stored, but existing secrets can be listed and deleted', async () => {
  await open().service.save(principal, 'crm', { value: 'x', hosts })
  const { service, find } = open({ keys: null })
  await expect(service.save(principal, 'other', { value: 'x', hosts })).rejects.toMatchObject({
    status: 503,
    message: 'Secrets cannot be stored: no key is configured (SECRETS_ENCRYPTION_KEYS)',
  })
  expect(await find('crm')).toBe('cannot be decrypted')
  expect((await service.list(principal, PAGE)).total).toBe(1)
  await service.remove(principal, 'crm')
  await expect(service.remove(principal, 'crm')).rejects.toMatchObject({ status: 404 })
})
