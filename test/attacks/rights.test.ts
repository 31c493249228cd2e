import type { Permission } from '../../domain/access/permissions.ts'
import type { JobDetail } from '../../contract/runs/job.ts'
import type { Browser } from '../support/clients/browser.ts'
import { type ApiClient, sendUntilTaken } from '../support/clients/client.ts'
import { callTool, connectMcp, refusedTool } from '../support/tools/mcp.ts'
import { jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useStack } from '../support/stack/use-stack.ts'
import { selectOne } from '../../data/shared/statements.ts'
import { pick } from '../../data/shared/table.ts'
import { jobsTable } from '../../data/runs/tables.ts'

/** A credential reaches no more through runs, chats, gateways and forks than it reaches through routes. */

const context = useStack()
const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } }

interface Started {
  job_id: string
  trace_id: string
}

let client: ApiClient
let owner: Browser
let count = 0
/** Returns a ledger path that is not used yet. */
const newPath = () => `/rights-${++count}`
const countCalls = (path: string) => context.ledger.requests.filter(request => request.path === path).length
const post = (path: string) => ({
  id: 'pay',
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}${path}`, json: {} },
})

const permittedTo = (...permissions: Permission[]) => context.workspace.permittedTo(...permissions)

beforeAll(async () => {
  ;({ client } = context.workspace)
  owner = await signInAs(context.stack, context.workspace, 'user:olga', 'owner')
  await create('/v1/artifacts', { title: 'Secret', slug: 'secret', content: 'the original' })
  await create('/v1/reflexes', { title: 'Built in', slug: 'builtin', source: 'builtin' })
  await create('/v1/neurons', { title: 'Helper', slug: 'helper', model: 'builtin:extractive' })
})

async function create(path: string, body: object, as = client): Promise<{ id: string; slug: string }> {
  const { status, body: made } = await sendUntilTaken(() => as.post<{ id: string; slug: string }>(path, body))
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(made)}`)
  return made
}

async function createPaying(slug: string): Promise<string> {
  const path = newPath()
  await create('/v1/pathways', { title: slug, slug, definition: pathway([post(path)]) })
  return path
}

/** Returns the outcome of a run: its status or error code. */
async function endOf({ job_id }: { job_id?: string }): Promise<string> {
  if (job_id === undefined) throw new Error('no run was started')
  const { status, error } = await jobWith(client, job_id)
  return error?.code ?? status
}

const start = async (as: ApiClient, pathway_id: string) => (await as.post<Started>('/v1/jobs', { pathway_id })).body

describe('a key with tools:call only', () => {
  const call = (as: ApiClient, name: string, args: object) =>
    sendUntilTaken(() =>
      as.post<{ code: string; message: string }>(`/v1/tools/${name}/call`, { reflex: 'builtin', arguments: args }),
    )

  test('cannot read or overwrite documents with a built-in tool', async () => {
    const key = await permittedTo('tools:call')
    const read = await call(key, 'read_resource', { type: 'artifacts', id: 'secret' })
    expect(read).toMatchObject({ ...FORBIDDEN, body: { message: expect.stringContaining('resources:read') } })
    const overwritten = { id: 'secret', mode: 'replace', content: 'mine' }
    expect(await call(key, 'write_artifact', overwritten)).toMatchObject(FORBIDDEN)
    expect(await call(key, 'search', { query: 'original' })).toMatchObject(FORBIDDEN)
    expect(await call(key, 'calculate', { expression: '1 + 1' })).toMatchObject({ status: 200 })
    const reader = await permittedTo('tools:call', 'resources:read')
    const args = { type: 'artifacts', id: 'secret' }
    expect(await call(reader, 'read_resource', args)).toMatchObject({ body: { output: { text: 'the original' } } })
    expect(await call(reader, 'write_artifact', overwritten)).toMatchObject(FORBIDDEN)
  })
})

describe('an inline definition', () => {
  test('requires its own permission, which the right to save definitions includes', async () => {
    const inline = { pathway: pathway([{ id: 'z', type: 'end' }]) }
    const send = async (...permissions: Permission[]) =>
      (await (await permittedTo(...permissions)).post<{ message: string }>('/v1/jobs', inline)).status
    expect(await send('jobs:start')).toBe(403)
    expect(await send('definitions:run')).toBe(403)
    expect(await send('jobs:start', 'definitions:run')).toBe(202)
    expect(await send('jobs:start', 'resources:write')).toBe(202)
  })

  test('sends nothing out of the workspace without the required rights', async () => {
    const path = newPath()
    const read = { id: 'read', type: 'search', with: { query: 'original', mode: 'keyword' } }
    const key = await permittedTo('jobs:start', 'definitions:run')
    expect(await endOf({ job_id: await startRun(key, pathway([read, post(path)], 'read > pay')) })).toBe('FORBIDDEN')
    expect(await endOf({ job_id: await startRun(key, pathway([post(path)])) })).toBe('FORBIDDEN')
    expect(countCalls(path)).toBe(0)
  })
})

describe('a chat', () => {
  const chat = (as: ApiClient, body: object, trace = 'new') =>
    as.post<Started & { code: string; message: string }>(`/v1/chat/${trace}`, { message: 'Hello', ...body })

  test('can start a pathway only with jobs:start, even in an open thread and through MCP', async () => {
    const path = await createPaying('paying-chat')
    const talker = await permittedTo('conversations:write')
    const refused = { ...FORBIDDEN, body: { message: expect.stringContaining('jobs:start') } }
    expect(await chat(talker, { pathway: 'paying-chat' })).toMatchObject(refused)
    expect(await chat(talker, { neuron: 'helper' })).toMatchObject({ status: 202 })
    const { body } = await chat(client, { pathway: 'paying-chat' })
    expect(await endOf(body)).toBe('completed')
    expect(await chat(talker, {}, body.trace_id)).toMatchObject(refused)
    const token = await context.workspace.newKey({ actor: 'user:ann', permissions: ['conversations:write'] })
    const mcp = await connectMcp({ baseUrl: context.stack.baseUrl, token })
    const said = { trace_id: body.trace_id, message: 'Again' }
    expect(await refusedTool(mcp, 'continue_conversation', said)).toMatchObject({ code: 'FORBIDDEN' })
    await mcp.close()
    expect(countCalls(path)).toBe(1)
  })
})

describe('a receptor', () => {
  const invoke = async (slug: string, as: ApiClient) =>
    (await as.post<Started>(`/v1/receptors/${context.workspace.slug}/${slug}/invoke`, { message: 'Go', stream: true }))
      .body
  const make = (slug: string, ref: string, as?: ApiClient) =>
    create('/v1/receptors', { title: slug, slug, target: { type: 'pathway', ref } }, as)

  test('gives its runs the rights of its author, even for visitors and callers with fewer rights', async () => {
    const path = await createPaying('delegated')
    const { id } = await make('desk', 'delegated')
    const starter = await permittedTo('jobs:start')
    expect(await endOf(await start(starter, 'delegated'))).toBe('FORBIDDEN')
    expect(await endOf(await invoke('desk', starter))).toBe('completed')
    const talker = await permittedTo('conversations:write')
    const chat = await talker.post<Started>('/v1/chat/new', { message: 'Go', receptor: 'desk' })
    expect(await endOf(chat.body)).toBe('completed')
    const shared = { name: 'visitors', target: { type: 'receptor', id } }
    const { share_token: t } = (await owner.send('POST', '/v1/share-tokens', shared)).body as { share_token: string }
    const visit = `/v1/public/receptors/${context.workspace.slug}/desk/invoke`
    const visitor = await fetch(context.stack.baseUrl + visit, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ t, message: 'Go' }),
    })
    expect(await endOf((await visitor.json()) as Started)).toBe('completed')
    expect(countCalls(path)).toBe(3)
  })

  test('grants only the rights of the author who last saved it', async () => {
    const path = await createPaying('limited')
    const author = await permittedTo('resources:write', 'jobs:start')
    await make('narrow', 'limited', author)
    expect(await endOf(await invoke('narrow', author))).toBe('FORBIDDEN')
    expect(await endOf(await invoke('narrow', client))).toBe('FORBIDDEN')
    await client.patch('/v1/receptors/narrow', { description: 'Checked' })
    expect(await endOf(await invoke('narrow', author))).toBe('completed')
    await author.patch('/v1/receptors/narrow', { description: 'Mine again' })
    expect(await endOf(await invoke('narrow', client))).toBe('FORBIDDEN')
    const writer = await permittedTo('resources:write')
    await make('unstartable', 'limited', writer)
    const refused = await client.post(`/v1/receptors/${context.workspace.slug}/unstartable/invoke`, { message: 'Go' })
    expect(refused).toMatchObject(FORBIDDEN)
    expect(countCalls(path)).toBe(1)
  })
})

describe('a trigger', () => {
  const make = (slug: string, ref: string, as: ApiClient) =>
    create('/v1/triggers', { title: slug, slug, trigger_type: 'manual', target: { type: 'pathway', ref } }, as)
  const fire = (slug: string) => client.post<{ job_id: string }>(`/v1/triggers/${slug}/fire`, {})

  test('gives its runs the rights of its author, regardless of who fires it', async () => {
    const path = await createPaying('fired')
    await make('by-writer', 'fired', await permittedTo('resources:write'))
    expect(await fire('by-writer')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await make('by-starter', 'fired', await permittedTo('resources:write', 'jobs:start'))
    expect(await endOf((await fire('by-starter')).body)).toBe('FORBIDDEN')
    await make('by-ann', 'fired', client)
    const operator = await permittedTo('jobs:start')
    const fired = await operator.post<{ job_id: string }>('/v1/triggers/by-ann/fire', {})
    expect(await endOf(fired.body)).toBe('completed')
    expect(countCalls(path)).toBe(1)
  })
})

test('a share token for a thread has the rights of its creator', async () => {
  const path = await createPaying('shared-thread')
  const { body } = await client.post<Started>('/v1/chat/new', { message: 'Go', pathway: 'shared-thread' })
  await endOf(body)
  const shared = { name: 'thread', target: { type: 'trace', id: body.trace_id } }
  const { share_token } = (await owner.send('POST', '/v1/share-tokens', shared)).body as { share_token: string }
  const said = await fetch(`${context.stack.baseUrl}/v1/public/traces/${body.trace_id}?t=${share_token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'Again' }),
  })
  expect(said.status).toBe(202)
  expect(await endOf((await said.json()) as Started)).toBe('completed')
  expect(countCalls(path)).toBe(2)
})

describe('runs that follow a run', () => {
  const readRights = (jobId: string) =>
    context.stack.database.db.inWorkspace(context.workspace.id, async tx => {
      const row = await selectOne(tx, pick(jobsTable, 'rights'), 'select rights from jobs where job_id = $1', [jobId])
      return row?.rights
    })

  test('a child run has the rights of its parent', async () => {
    const path = await createPaying('child')
    await create('/v1/pathways', {
      title: 'Parent',
      slug: 'parent',
      definition: pathway([{ id: 'sub', type: 'pathway', ref: 'child' }]),
    })
    const { job_id } = await start(await permittedTo('jobs:start'), 'parent')
    expect(await endOf({ job_id })).toBe('FORBIDDEN')
    const { nodes } = (await client.get<JobDetail>(`/v1/jobs/${job_id}`)).body
    const child = nodes.find(({ node_id }) => node_id === 'sub')?.child_job_id ?? ''
    expect([await readRights(job_id), await readRights(child)]).toEqual([['jobs:start'], ['jobs:start']])
    expect(countCalls(path)).toBe(0)
  })

  test('a retry by a person with fewer rights has only their rights, and a fork of it regains none', async () => {
    const path = newPath()
    const failing = { ...post(`${path}?status=400`), retry: { max_attempts: 1 } }
    await create('/v1/pathways', { title: 'Failing', slug: 'failing', definition: pathway([failing]) })
    const { job_id } = await start(client, 'failing')
    expect(await endOf({ job_id })).toBe('HTTP_400')
    const starter = await permittedTo('jobs:start')
    const retried = (await starter.post<Started>(`/v1/jobs/${job_id}/retry`, {})).body
    expect(await endOf(retried)).toBe('FORBIDDEN')
    const forked = (await client.post<Started>(`/v1/jobs/${retried.job_id}/fork`, { from_node: 'pay' })).body
    expect(await endOf(forked)).toBe('FORBIDDEN')
    expect(await readRights(forked.job_id)).toEqual(['jobs:start'])
    const again = (await client.post<Started>(`/v1/jobs/${job_id}/retry`, {})).body
    expect(await endOf(again)).toBe('HTTP_400')
    expect(countCalls(path)).toBe(2)
  })

  test("a run that an MCP client starts has the permissions of the client's key", async () => {
    const path = await createPaying('by-mcp')
    const token = await context.workspace.newKey({ actor: 'user:ann', permissions: ['jobs:start', 'jobs:read'] })
    const mcp = await connectMcp({ baseUrl: context.stack.baseUrl, token })
    const outcome = await mcp.callTool({ name: 'run_pathway', arguments: { pathway: 'by-mcp' } })
    expect(JSON.stringify(outcome.content)).toContain('FORBIDDEN')
    expect(await callTool(mcp, 'list_runs', {})).toBeDefined()
    await mcp.close()
    expect(countCalls(path)).toBe(0)
  })
})

test('a stakeholder extraction is rejected before it starts if the caller lacks the rights to finish it', async () => {
  const key = await permittedTo('jobs:start', 'resources:read')
  expect(await key.post('/v1/stakeholders/extract', { text: 'Ann met Bob.' })).toMatchObject({
    ...FORBIDDEN,
    body: { message: expect.stringContaining('resources:write') },
  })
})
