import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

/** Tables without a workspace. The reason is in their migration. */
const WITHOUT_WORKSPACE = new Set(['migrations', 'run_payloads'])
const A = randomUUID()
const B = randomUUID()

let database: TestDatabase
let admin: Client
/** Connects as the app role on a bare connection, so that application code plays no part. */
let app: Client
let tables: string[]

const connected = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

const columnOf = (table: string) => (table === 'workspaces' ? 'id' : 'workspace_id')

/** Runs `work` as the app role in a transaction that is rolled back. */
async function as<T>(workspace: string | undefined, work: () => Promise<T>): Promise<T> {
  await app.query('begin')
  try {
    if (workspace !== undefined) await app.query(`select set_config('app.workspace_id', $1, true)`, [workspace])
    return await work()
  } finally {
    await app.query('rollback')
  }
}

/** One row of each table for a workspace, in an order that satisfies foreign keys. */
const ROWS: Record<string, (id: string) => string> = {
  workspaces: id =>
    `insert into workspaces (id, slug, name, default_brain_id) values ('${id}', 'w-${id}', 'W', '${id}')`,
  brains: id => `insert into brains (id, workspace_id, name) values ('${id}', '${id}', 'B')`,
  members: id => `insert into members (workspace_id, actor) values ('${id}', 'user:ann')`,
  credentials: id => `insert into credentials (id, workspace_id, kind, name, prefix, hmac)
    values ('${id}', '${id}', 'api_key', 'k', 'p', '')`,
  audit_log: id => `insert into audit_log (workspace_id, actor, action, target) values ('${id}', 'a', 'b', 'c')`,
  resources: id => `insert into resources (id, workspace_id, kind, slug, title, document)
    values ('${id}', '${id}', 'pathways', 's', 'T', '{}')`,
  resource_versions: id => `insert into resource_versions
    (resource_id, version, workspace_id, slug, title, path, scope, is_active, document, author)
    values ('${id}', 1, '${id}', 's', 'T', '/', 'workspace', true, '{}', 'a')`,
  contents: id => `insert into contents (workspace_id, sha256, size, bytes) values ('${id}', 's', 0, '')`,
  files: id => `insert into files (id, workspace_id, actor, file_name, media_type, size, sha256)
    values ('${id}', '${id}', 'user:ann', 'f', 'text/plain', 0, 's')`,
  extractions: id => `insert into extractions (workspace_id, sha256, media_type) values ('${id}', 's', 'text/plain')`,
  text_chunks: id => `insert into text_chunks
    (workspace_id, resource_id, version, ordinal, start_offset, end_offset, text, sha256)
    values ('${id}', '${id}', 1, 0, 0, 1, 't', 's')`,
  chunk_vectors: id => `insert into chunk_vectors (workspace_id, model, sha256, vector) values ('${id}', 'm', 's', '')`,
  search_state: id => `insert into search_state (workspace_id, resource_id, revision, parts)
    values ('${id}', '${id}', 1, 1)`,
  search_outbox: id => `insert into search_outbox (workspace_id, resource_id, revision, version)
    values ('${id}', '${id}', 1, 1)`,
  monthly_spend: id => `insert into monthly_spend (workspace_id, month, usd) values ('${id}', '2026-01-01', 1)`,
  provisioned_groups: id =>
    `insert into provisioned_groups (workspace_id, name, display_name) values ('${id}', 'group:a', 'A')`,
  deactivated_members: id =>
    `insert into deactivated_members (workspace_id, actor, member) values ('${id}', 'user:bo', '{}')`,
  jobs: id => `insert into jobs (job_id, workspace_id, root_job_id, title, requester, people)
    values ('j-${id}', '${id}', 'j-${id}', 'T', 'a', '{a}')`,
  job_nodes: id => `insert into job_nodes (workspace_id, job_id, key, node_id, node_type, status, at, rank)
    values ('${id}', 'j-${id}', 'k', 'n', 'end', 'running', now(), 0)`,
  job_forks: id => `insert into job_forks (workspace_id, job_id, origin_job_id, kind, actor, changes)
    values ('${id}', 'j-${id}', 'j', 'fork', 'a', '{}')`,
  job_migrations: id => `insert into job_migrations (workspace_id, job_id, id, from_version, to_version, actor, at)
    values ('${id}', 'j-${id}', '${id}', 1, 2, 'a', now())`,
  bulk_items: id => `insert into bulk_items (workspace_id, job_id, run_id) values ('${id}', 'j-${id}', 'j')`,
  usage_events: id => `insert into usage_events (workspace_id, job_id, key, attempt, input_tokens, output_tokens, usd)
    values ('${id}', 'j-${id}', 'k', 1, 0, 0, 0)`,
  idempotency_keys: id => `insert into idempotency_keys
    (workspace_id, key, route, body_hash, target, claim, expires_at)
    values ('${id}', 'k', 'r', 'h', 'j-${id}', '${id}', now())`,
  traces: id => `insert into traces (id, workspace_id, title, actor) values ('${id}', '${id}', 'T', 'a')`,
  trace_messages: id => `insert into trace_messages (workspace_id, trace_id, turn, position, job_id, role, content)
    values ('${id}', '${id}', 1, 0, 'j-${id}', 'user', '{}')`,
  neuron_runs: id => `insert into neuron_runs (workspace_id, job_id, spec) values ('${id}', 'j-${id}', '{}')`,
  interventions: id => `insert into interventions (workspace_id, id, job_id, root_job_id)
    values ('${id}', 'i', 'j-${id}', 'j-${id}')`,
  intervention_votes: id => `insert into intervention_votes (workspace_id, intervention_id, seq, job_id, statement)
    values ('${id}', 'i', 1, 'j-${id}', '{"vote": {"by": "a"}}')`,
  vote_texts: id => `insert into vote_texts (workspace_id, intervention_id, seq, job_id, salts)
    values ('${id}', 'i', 1, 'j-${id}', '{}')`,
  intervention_changes: id => `insert into intervention_changes (workspace_id, intervention_id, change, at)
    values ('${id}', 'i', 'commented', now())`,
  pending_answers: id => `insert into pending_answers (workspace_id, intervention_id, update_id, job_id, actor, input)
    values ('${id}', 'i', 'u', 'j-${id}', 'a', '{}')`,
  absences: id => `insert into absences (workspace_id, actor, substitute, starts_at, updated_by)
    values ('${id}', 'a', 'b', now(), 'a')`,
  working_calendars: id => `insert into working_calendars (workspace_id, name, time_zone, hours, updated_by)
    values ('${id}', 'c', 'UTC', '{}', 'a')`,
  audit_seals: id => `insert into audit_seals (workspace_id, seq, audit_id, at, row_hash, hash)
    values ('${id}', 1, 1, 't', 'r', 'h')`,
  audit_unsealed: id => `insert into audit_unsealed (workspace_id, audit_id) values ('${id}', 0)`,
  audio_pieces: id => `insert into audio_pieces (workspace_id, job_id, key, ordinal, start, duration, format)
    values ('${id}', 'j-${id}', 'k', 0, 0, 1, 'mp3')`,
  meeting_runs: id =>
    `insert into meeting_runs (workspace_id, meeting_id, job_id) values ('${id}', '${id}', 'j-${id}')`,
  meeting_audio: id => `insert into meeting_audio (workspace_id, meeting_id, seq, sha256, size, format)
    values ('${id}', '${id}', 0, 's', 1, 'mp3')`,
  event_outbox: id => `insert into event_outbox (workspace_id, type, subject) values ('${id}', 'job.started', '{}')`,
  channels: id => `insert into channels
    (id, workspace_id, name, type, settings, credentials, created_by, updated_by)
    values ('${id}', '${id}', 'c', 'slack', '{}', '', 'a', 'a')`,
  channel_accounts: id => `insert into channel_accounts (workspace_id, channel_id, external_id, actor)
    values ('${id}', '${id}', 'U1', 'user:ann')`,
  channel_link_codes: id => `insert into channel_link_codes (workspace_id, channel_id, actor, code_hash, expires_at)
    values ('${id}', '${id}', 'user:ann', '', now())`,
  push_subscriptions: id => `insert into push_subscriptions (workspace_id, channel_id, id, actor, subscription)
    values ('${id}', '${id}', 's', 'user:ann', '')`,
  notification_rules: id => `insert into notification_rules (workspace_id, subject, channel_id, updated_by)
    values ('${id}', 'user:ann', '${id}', 'a')`,
  notification_events: id => `insert into notification_events (workspace_id, event_id, type, subject)
    values ('${id}', '${id}', 'job.failed', 'j')`,
  notifications: id => `insert into notifications (id, workspace_id, recipient, event_id, type, job_id, is_direct)
    values ('${id}', '${id}', 'user:ann', '${id}', 'job.failed', 'j', true)`,
  channel_messages: id => `insert into channel_messages
    (id, workspace_id, channel_id, intervention_id, recipient, conversation)
    values ('${id}', '${id}', '${id}', 'i', 'user:ann', 'D1')`,
  channel_mailboxes: id => `insert into channel_mailboxes (id, workspace_id) values ('${id}', '${id}')`,
  webhooks: id => `insert into webhooks (id, workspace_id, url, event_types, secret, created_by)
    values ('${id}', '${id}', 'https://example.com', '{job.*}', '', 'a')`,
  mcp_toolkits: id => `insert into mcp_toolkits (id, workspace_id, slug, name, tools, created_by)
    values ('${id}', '${id}', 's', 'T', '[]', 'a')`,
  secrets: id => `insert into secrets (workspace_id, name, hosts, value, key_id, created_by, updated_by)
    values ('${id}', 's', '{example.com}', '', 'k', 'a', 'a')`,
  webhook_deliveries: id => `insert into webhook_deliveries (id, workspace_id, webhook_id, event_id, event_type, body)
    values ('${id}', '${id}', '${id}', '${id}', 'job.started', '{}')`,
  hook_secrets: id => `insert into hook_secrets (trigger_id, workspace_id, secret) values ('${id}', '${id}', '')`,
  trigger_listeners: id => `insert into trigger_listeners (trigger_id, workspace_id, trigger_type, settings)
    values ('${id}', '${id}', 'event', '{}')`,
  trigger_events: id => `insert into trigger_events (workspace_id, trigger_id, dedupe_key, event, at, causes)
    values ('${id}', '${id}', 'k', '{}', now(), '{}')`,
  trigger_states: id => `insert into trigger_states (trigger_id, workspace_id) values ('${id}', '${id}')`,
  trigger_firings: id => `insert into trigger_firings (id, workspace_id, trigger_id, trigger_version, source, decision,
    dedupe_key) values ('${id}', '${id}', '${id}', 1, 'manual', 'filtered', 'k')`,
}

beforeAll(async () => {
  database = await createTestDatabase()
  admin = await connected(database.adminUrl)
  app = await connected(database.url)
  const found = await admin.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  tables = found.rows.map(row => row.relname).filter(name => !WITHOUT_WORKSPACE.has(name))
  // The policies also apply to an owner without superuser rights, so the owner sets the workspace for the rows that
  // it writes.
  for (const workspace of [A, B]) {
    await admin.query(`select set_config('app.workspace_id', $1, false)`, [workspace])
    // A workspace and its default brain refer to each other.
    await admin.query(['begin', ...Object.values(ROWS).map(insert => insert(workspace)), 'commit'].join(';'))
  }
})
afterAll(async () => {
  await admin.end()
  await app.end()
  await database.drop()
})

test('every table is covered by this test, and has a workspace column unless it is listed', async () => {
  expect([...tables].sort()).toEqual(Object.keys(ROWS).sort())
  for (const table of tables) {
    const { rowCount } = await admin.query(
      `select 1 from information_schema.columns where table_name = $1 and column_name = $2`,
      [table, columnOf(table)],
    )
    expect({ table, rowCount }).toEqual({ table, rowCount: 1 })
  }
})

test('the app role cannot bypass policies, own objects or create them', async () => {
  const role = await app.query(
    `select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user`,
  )
  expect(role.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false }])
  const owned = await app.query(
    `select relname from pg_class where pg_get_userbyid(relowner) = current_user
     union all select datname from pg_database where pg_get_userbyid(datdba) = current_user`,
  )
  expect(owned.rows).toEqual([])
  await expect(app.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' })
  await expect(app.query('alter table jobs disable row level security')).rejects.toMatchObject({ code: '42501' })
})

test('every table enables and forces row-level security, and has policies for reads and writes', async () => {
  const { rows } = await admin.query<{ relname: string; on: boolean; forced: boolean; policies: string }>(
    `select relname, relrowsecurity as on, relforcerowsecurity as forced,
            (select count(*) from pg_policy where polrelid = pg_class.oid and polcmd = '*'
                and polqual is not null and polwithcheck is not null) as policies
       from pg_class where relname = any($1)`,
    [tables],
  )
  for (const table of tables)
    expect(rows.find(row => row.relname === table)).toMatchObject({ on: true, forced: true, policies: '1' })
})

test('when a workspace is set, only its own row is visible', async () => {
  for (const table of tables) {
    const seen = await as(A, () => app.query<{ id: string }>(`select ${columnOf(table)} as id from ${table}`))
    expect({ table, ids: [...new Set(seen.rows.map(row => row.id))] }).toEqual({ table, ids: [A] })
  }
})

test('when no workspace is set, no rows are visible', async () => {
  for (const table of tables) {
    const seen = await as(undefined, () => app.query(`select 1 from ${table}`))
    const empty = await as('', () => app.query(`select 1 from ${table}`))
    expect({ table, seen: seen.rowCount, empty: empty.rowCount }).toEqual({ table, seen: 0, empty: 0 })
  }
})

test('no row in another workspace can be changed, removed, added or taken over', async () => {
  for (const table of tables) {
    const column = columnOf(table)
    const appendOnly = ['audit_log', 'audit_seals', 'intervention_votes'].includes(table)
    const attempt = (sql: string) =>
      as(A, () => app.query(sql)).then(
        done => done.rowCount,
        (error: { code: string }) => error.code,
      )
    const none = appendOnly ? '42501' : 0
    const rls = '42501'
    expect({
      table,
      changed: await attempt(`update ${table} set ${column} = ${column} where ${column} = '${B}'`),
      removed: await attempt(`delete from ${table} where ${column} = '${B}'`),
      added: await attempt(ROWS[table]?.(B) ?? ''),
      given: await attempt(`update ${table} set ${column} = '${B}' where ${column} = '${A}'`),
    }).toEqual({ table, changed: none, removed: none, added: rls, given: rls })
  }
})

test('the audit log accepts entries, and entries cannot be changed or removed', async () => {
  await as(A, async () => {
    expect((await app.query(ROWS.audit_log?.(A) ?? '')).rowCount).toBe(1)
  })
  const seals = ['delete from audit_seals', `update audit_seals set hash = 'x'`]
  for (const sql of ['delete from audit_log', `update audit_log set actor = 'x'`, 'truncate audit_log', ...seals])
    await expect(as(A, () => app.query(sql))).rejects.toMatchObject({ code: '42501' })
})

test.each([
  `insert into audit_log (actor, action, target, at) values ('a', 'b', 'c', '2020-01-01')`,
  `insert into audit_log (id, actor, action, target) overriding system value values (1, 'a', 'b', 'c')`,
  `insert into audit_seals (seq, audit_id, at, row_hash, hash, sealed_at) values (2, 2, 't', 'r', 'h', '2020-01-01')`,
  `insert into intervention_votes (intervention_id, seq, job_id, statement, recorded_at)
    values ('i', 2, 'j', '{"vote": {"by": "b"}}', '2020-01-01')`,
])('the app role cannot set times or ids: %s', async sql => {
  await expect(as(A, () => app.query(sql))).rejects.toMatchObject({ code: '42501' })
})

test('nobody can change, remove or truncate votes, not even the database owner', async () => {
  const attempts = [
    `update intervention_votes set job_id = 'x'`,
    'delete from intervention_votes',
    'truncate intervention_votes',
  ]
  for (const sql of attempts) {
    await expect(as(A, () => app.query(sql))).rejects.toMatchObject({ code: '42501' })
    await expect(admin.query(sql)).rejects.toMatchObject({ code: '42501' })
  }
  await as(A, async () => {
    await app.query(`select set_config('app.expiring_votes', 'on', true)`)
    await expect(app.query('delete from intervention_votes')).rejects.toMatchObject({ code: '42501' })
  })
})

test('a slug makes only its own workspace readable', async () => {
  const named = await as(undefined, async () => {
    await app.query(`select set_config('app.workspace_slug', $1, true)`, [`w-${B}`])
    const seen = await app.query<{ id: string }>('select id from workspaces')
    const brains = await app.query('select id from brains')
    const renamed = await app.query(`update workspaces set name = 'mine'`)
    return { ids: seen.rows.map(row => row.id), brains: brains.rowCount, renamed: renamed.rowCount }
  })
  expect(named).toEqual({ ids: [B], brains: 0, renamed: 0 })
})

/** Returns what a transaction without a workspace can see across all workspaces with a given setting. */
const seenWith = (setting: string) =>
  as(undefined, async () => {
    await app.query(`select set_config($1, 'on', true)`, [setting])
    const counts: Record<string, number | null> = {}
    for (const table of tables) {
      const { rows } = await app.query<{ id: string }>(`select distinct ${columnOf(table)} as id from ${table}`)
      if (rows.length > 0) counts[table] = rows.length
    }
    const renamed = await app.query(`update workspaces set name = 'mine'`)
    return { counts, renamed: renamed.rowCount }
  })

test('the indexer sees only its queue and the workspaces of the queued entries', async () => {
  const seen = await seenWith('app.indexing')
  expect(seen).toEqual({ counts: { workspaces: 2, search_outbox: 2 }, renamed: 0 })
})

test('the sealer sees only which workspaces have entries to seal', async () => {
  const seen = await seenWith('app.sealing')
  expect(seen).toEqual({ counts: { audit_unsealed: 2 }, renamed: 0 })
})

test('the publisher sees only events, their recipients, and the data that triggers need', async () => {
  const seen = await seenWith('app.publishing')
  expect(seen).toEqual({
    counts: {
      event_outbox: 2,
      webhooks: 2,
      webhook_deliveries: 2,
      trigger_listeners: 2,
      trigger_events: 2,
      trigger_states: 2,
      trigger_firings: 2,
      notification_rules: 2,
      notification_events: 2,
      channel_messages: 2,
      channel_mailboxes: 2,
    },
    renamed: 0,
  })
})

test('the publisher cannot change a webhook or write an event', async () => {
  const attempt = (sql: string) =>
    as(undefined, async () => {
      await app.query(`select set_config('app.publishing', 'on', true)`)
      return (await app.query(sql)).rowCount
    })
  expect(await attempt(`update webhooks set url = 'https://example.org'`)).toBe(0)
  expect(await attempt('delete from webhooks')).toBe(0)
  await expect(attempt(ROWS.event_outbox?.(A) ?? '')).rejects.toMatchObject({ code: '42501' })
})
