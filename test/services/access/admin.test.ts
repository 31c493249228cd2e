import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { findPlan } from '../../../data/access/plans-store.ts'
import { createSealing } from '../../../services/audit/seal-entries.ts'
import { createTestAccess } from '../../support/access/access.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { API_KEY_SECRET } from '../../support/shared/workspace.ts'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { resourcesTable } from '../../../data/resources/tables.ts'

const CLI = join(import.meta.dirname, '../../../api/admin.ts')

let database: TestDatabase
/** A folder without a development setup, so that only the given environment applies. */
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'ganglion-cli-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function cli(args: string[], more: Record<string, string> = {}): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    API_KEY_SECRET,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...more,
  }
  return new Promise(resolve => {
    execFile(process.execPath, [CLI, ...args], { env, cwd: folder, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const json = async (args: string[]) => {
  const { stdout, stderr } = await cli([...args, '--json'])
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout) as Record<string, string>
}

test('welcome creates the first workspace with its owner once, and prints a sign-in link', async () => {
  const options = ['welcome', '--workspace', 'First Street Ltd', '--owner', 'user:eve']
  const first = await cli(options, { BASE_URL: 'https://ganglion.example.com' })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^  https:\/\/ganglion\.example\.com\/console\/sign-in#\S+$/m)
  const owner = [{ actor: 'user:eve', role: 'owner', groups: [] }]
  expect(await json(['member', 'list', '--workspace', 'first-street-ltd'])).toMatchObject(owner)

  const again = await cli(options)
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(again.stdout).toBe(
    'For a new link: ganglion-admin session link --workspace first-street-ltd --actor user:eve\n',
  )
  const unnamed = await cli(['welcome', '--workspace', '', '--owner', ''])
  expect(unnamed).toMatchObject({ code: 0, stderr: '' })
  expect(unnamed.stdout).toContain('ganglion-admin workspace create')
})

test('welcome rejects an invalid owner before it creates the workspace', async () => {
  const options = ['welcome', '--workspace', 'Second Street', '--owner']
  expect(await cli([...options, 'eve'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('user:ann, not "eve"'),
  })
  expect((await cli(['member', 'list', '--workspace', 'second-street'])).stderr).toContain('does not exist')
  expect((await cli([...options, 'user:eve'])).stdout).toContain('Workspace second-street is ready')
})

test('welcome adds the owner to a workspace without one', async () => {
  await json(['workspace', 'create', '--name', 'Third Street'])
  const { stdout } = await cli(['welcome', '--workspace', 'Third Street', '--owner', 'user:eve'])
  expect(stdout).toMatch(/\/console\/sign-in#\S+$/m)
  const owner = [{ actor: 'user:eve', role: 'owner' }]
  expect(await json(['member', 'list', '--workspace', 'third-street'])).toMatchObject(owner)
})

test('welcome finds a workspace again whose name has no letters for a slug', async () => {
  const options = ['welcome', '--workspace', '日本語チーム', '--owner', 'user:eve']
  expect((await cli(options)).stdout).toContain('Workspace workspace is ready')
  expect((await cli(options)).stdout).toMatch(/^For a new link: .* --workspace workspace /)
})

test('an operator creates a workspace and a working key, and revokes the key', async () => {
  const workspace = await json(['workspace', 'create', '--name', 'Acme', '--slug', 'acme'])
  await database.db.inWorkspace(workspace.id ?? '', async tx => {
    const builtin = await select(
      tx,
      pick(resourcesTable, 'kind', 'slug'),
      `select kind, slug from resources where scope = 'core' order by slug`,
    )
    expect(builtin).toEqual([
      { kind: 'neurons', slug: 'assistant' },
      { kind: 'reflexes', slug: 'builtin' },
    ])
  })
  const brain = await json(['brain', 'create', '--workspace', 'acme', '--name', 'Second'])
  const list = ['brain', 'list', '--workspace', 'acme']
  const isDefault = async () =>
    ((await json(list)) as unknown as { is_default: boolean }[]).map(({ is_default }) => is_default)
  expect(await isDefault()).toEqual([true, false])
  const chosen = ['brain', 'set-default', brain.id ?? '', '--workspace', 'acme']
  expect(await json(chosen)).toMatchObject({ id: brain.id, name: 'Second', is_default: true })
  expect(await isDefault()).toEqual([false, true])
  expect((await cli(list)).stdout).toContain(`${brain.id}  Second  default\n`)
  const groups = ['--group', 'group:finance', '--group', 'group:board']
  const bound = ['--brain', workspace.brain_id ?? '', '--brain', brain.id ?? '']
  const brains = [...bound, '--default-brain', brain.id ?? '']
  const options = ['--name', 'ci', '--actor', 'user:ann', '--role', 'viewer', ...groups, ...brains]
  const expiry = ['--expires', '2999-01-01T00:00:00Z']
  const key = await json(['api-key', 'create', '--workspace', 'acme', ...options, ...expiry])
  const access = createTestAccess(database.db)
  const { principal } = await access.authenticate({ kind: 'api_key', token: key.api_key ?? '' })
  expect(principal).toMatchObject({
    workspace_id: workspace.id,
    actor: 'user:ann',
    groups: ['group:finance', 'group:board'],
    brain_ids: [workspace.brain_id, brain.id],
    brain: { id: brain.id },
  })
  const member = ['member', 'set', '--workspace', 'acme', '--actor', 'user:bob', '--group', 'group:board']
  const bob = { actor: 'user:bob', role: 'builder', groups: ['group:board'] }
  expect(await json(member)).toMatchObject(bob)
  expect(await json([...member, '--role', 'reviewer'])).toMatchObject({ ...bob, role: 'reviewer' })
  const ann = { actor: 'user:ann', role: 'viewer', groups: [] }
  expect(await json(['member', 'list', '--workspace', 'acme'])).toMatchObject([ann, { ...bob, role: 'reviewer' }])
  expect((await cli(['member', 'list', '--workspace', 'acme'])).stdout).toBe(
    'user:ann  viewer  no group\nuser:bob  reviewer  group:board\n',
  )
  await json(['api-key', 'create', '--workspace', 'acme', '--name', 'robot', '--owner', 'user:bob'])
  const listed = await cli(['api-key', 'list', '--workspace', 'acme'])
  expect(listed.stdout).toContain('acts as user:ann  created by operator  until 2999-01-01')
  expect(listed.stdout).toContain('acts as key:robot of user:bob  created by operator  no end')
  expect(listed.stdout).not.toContain(key.api_key)
  expect(await json(['api-key', 'revoke', key.id ?? '', '--workspace', 'acme'])).toEqual({ id: key.id, revoked: true })
  expect((await cli(['api-key', 'list', '--workspace', 'acme'])).stdout).toContain('revoked')
  const leaves = ['member', 'remove', '--workspace', 'acme', '--actor', 'user:bob']
  const robot = { kind: 'api_key', name: 'robot' }
  const departure = { actor: 'user:bob', revoked: [expect.objectContaining(robot)] }
  expect(await json([...leaves, '--dry-run'])).toMatchObject({ ...departure, removed: false })
  expect(await json(leaves)).toMatchObject({ ...departure, removed: true })
  expect(await json(['member', 'list', '--workspace', 'acme'])).toMatchObject([ann])
})

test('a workspace gets the given plan and the trial that comes with it', async () => {
  const settings = { PLANS: JSON.stringify({ trial: { trial_days: 14 }, paid: {} }), DEFAULT_PLAN: 'trial' }
  const run = async (args: string[]) => JSON.parse((await cli([...args, '--json'], settings)).stdout) as { id: string }
  const { id } = await run(['workspace', 'create', '--name', 'Beta', '--slug', 'beta'])
  const stored = () => database.db.inWorkspace(id, findPlan)
  const { plan, trial_ends_at } = await stored()
  expect(plan).toBeNull()
  const days = (Date.parse(trial_ends_at ?? '') - Date.now()) / 86_400_000
  expect(days > 13 && days <= 14).toBe(true)
  const set = ['workspace', 'set-plan', '--workspace', 'beta']
  expect(await run([...set, '--plan', 'paid'])).toEqual({ plan: 'paid', trial_ends_at: null })
  expect(await stored()).toEqual({ plan: 'paid', trial_ends_at: null })
  await run([...set, '--plan', 'trial', '--trial-ends', '2999-01-01T00:00:00.000Z'])
  expect(await stored()).toEqual({ plan: 'trial', trial_ends_at: '2999-01-01T00:00:00.000Z' })
  expect((await cli([...set, '--plan', 'none'], settings)).stderr).toContain('Plan "none" does not exist')
  expect((await cli(set, { ...settings, DEFAULT_PLAN: 'none' })).stderr).toContain('unknown plan')
})

test('the audit log can be verified, and a tampered entry is reported', async () => {
  const { id = '' } = await json(['workspace', 'create', '--name', 'Gamma', '--slug', 'gamma'])
  await createSealing({ db: database.db, log: pino({ level: 'silent' }) }).sealWorkspace(id)
  const verify = ['audit', 'verify', '--workspace', 'gamma']
  const { head, ...report } = (await json(verify)) as unknown as { head: { seq: number; hash: string } }
  expect(report).toMatchObject({ waiting: 0, expired: 0 })
  const known = [...verify, '--head', `${head.seq}:${head.hash}`]
  expect((await cli(known)).stdout).toContain(`Head: ${head.seq}:${head.hash}`)
  const owner = new Client({ connectionString: database.adminUrl })
  await owner.connect()
  await owner.query(`select set_config('app.workspace_id', $1, false)`, [id])
  await owner.query(`update audit_log set actor = 'user:eve' where workspace_id = $1`, [id])
  await owner.end()
  expect(await cli(known)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^The log has been changed: entry \d+ was changed after it was sealed \(changed\)\.\n/,
    ),
  })
})

test('an error is printed in one line, and the command exits with 1', async () => {
  const wrong = async (args: string[], more?: Record<string, string>) => {
    const { code, stdout, stderr } = await cli(args, more)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).not.toMatch(/^\s+at /m)
    return stderr.trim()
  }
  expect(await wrong(['api-key', 'list', '--workspace', 'nowhere'])).toBe('Workspace "nowhere" does not exist')
  expect(await wrong(['workspace', 'create', '--name', 'x', '--slug', 'No Slug'])).toContain('The slug must contain')
  expect(await wrong(['workspace', 'create'])).toContain('--name')
  expect(await wrong(['workspace', 'list'])).toContain('unknown command')
  const away = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }
  expect(await wrong(['api-key', 'list', '--workspace', 'acme'], away)).toContain('does not respond')
  expect(await wrong(['api-key', 'list', '--workspace', 'acme'], { API_KEY_SECRET: 'short' })).toContain(
    'API_KEY_SECRET',
  )
})
