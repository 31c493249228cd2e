import { type Permission, PERMISSIONS } from '../../domain/access/permissions.ts'
import { type Right, RIGHTS, filterRights } from '../../domain/access/rights.ts'
import { LOAD_SKILL } from '../../domain/agents/skills.ts'
import { NODE_TYPES } from '../../domain/pathways/kinds/index.ts'
import { BUILTIN_TOOLS } from '../../domain/tools/builtin.ts'
import type { JobDetail } from '../../contract/runs/job.ts'
import { readEffectTable } from '../support/access/access-table.ts'
import { useAgents } from '../support/agents/agents.ts'
import { audioBody } from '../support/speech/audio.ts'
import { type ApiClient, sendUntilTaken } from '../support/clients/client.ts'
import { type Ledger, startLedger } from '../support/shared/ledger.ts'
import { answer, asked, jobWith, pathway } from '../support/runs/runs.ts'
import { type McpTestServer, startMcpServer } from '../support/tools/tool-servers.ts'

/**
 * Runs every node type and tool with each permission alone, and compares the outcomes with
 * docs/reference/permissions.md.
 */

const context = useAgents()
let ledger: Ledger
let mcp: McpTestServer

interface Effect {
  type: string
  /** The table row, if it differs from the row of the type. */
  row?: string
  fields: object
}

/** Nodes by id. */
const nodes = (): Record<string, Effect> => ({
  compute: { type: 'transform', fields: { with: { value: 1 } } },
  choose: { type: 'switch', fields: { cases: [{ port: 'yes', when: 'true' }], default: 'no' } },
  pause: { type: 'wait', fields: { duration: 'PT0.1S' } },
  ask: { type: 'human', fields: { kind: 'approval', title: 'Go?', due: 'PT1S' } },
  each: { type: 'map', fields: { items: [1], body: inner('mapped') } },
  repeat: { type: 'loop', fields: { until: 'true', max: 1, body: inner('repeated') } },
  call: { type: 'http', fields: { with: { method: 'POST', url: `${ledger.url}/node`, json: {} } } },
  find: { type: 'search', fields: { with: { query: 'anything', mode: 'keyword' } } },
  hear: { type: 'transcribe', row: 'transcribe (an asset)', fields: { with: { asset: 'speech' } } },
  listen: { type: 'transcribe', row: 'transcribe (inline audio)', fields: { with: audioBody('mp3') } },
  propose: {
    type: 'stakeholders',
    row: 'stakeholders (propose)',
    fields: { with: { action: 'propose', map: 'people', found: [] } },
  },
  apply: {
    type: 'stakeholders',
    row: 'stakeholders (apply)',
    fields: {
      with: {
        action: 'apply',
        map: 'people',
        delta: { stakeholders: { update: [{ id: 'ann', notes: '${run.id}' }] } },
      },
    },
  },
  sub: { type: 'pathway', fields: { ref: 'child' } },
  model: { type: 'neuron', row: 'neuron (a model call)', fields: { with: { message: 'Sum up: blue.' } } },
  agent: { type: 'neuron', row: 'neuron (a stored neuron)', fields: { ref: 'poet', with: { message: 'a verse' } } },
  tell: { type: 'tool', row: 'current_time', fields: { with: { reflex: 'builtin', name: 'current_time', args: {} } } },
  read: {
    type: 'tool',
    row: 'read_resource',
    fields: { with: { reflex: 'builtin', name: 'read_resource', args: { type: 'artifacts', id: 'note' } } },
  },
  book: {
    type: 'tool',
    row: 'tools of OpenAPI and MCP reflexes',
    fields: { with: { reflex: 'ledger', name: 'bookTable', args: {} } },
  },
})

const inner = (id: string) => ({ nodes: [{ id, type: 'transform', with: { value: 1 } }], edges: [] })

/** Tool calls by table row, with the tool source unless it is built-in. */
const calls = (): Record<string, { name?: string; source?: string; args: object }> => ({
  search: { args: { query: 'anything', mode: 'keyword' } },
  read_resource: { args: { type: 'artifacts', id: 'note' } },
  write_artifact: { args: { title: 'Written', content: 'by the agent' } },
  http_fetch: { args: { url: `${ledger.url}/page` } },
  calculate: { args: { expression: '1 + 1' } },
  current_time: { args: {} },
  ask_human: { args: { question: 'Well?' } },
  remember: { args: { text: 'Ann likes tea.' } },
  recall: { args: { query: 'tea' } },
  load_skill: { args: { name: 'refunds' } },
  /** Each caller reads its own file. */
  read_file: { args: {} },
  'tools of OpenAPI and MCP reflexes': { source: 'openapi', args: {} },
  'tools of OpenAPI and MCP reflexes, by MCP': { name: 'weather_today', args: { city: 'Rome' } },
  'tools that run a pathway': { source: 'pathway', args: {} },
  'tools that run a neuron': { source: 'neuron', args: { message: 'a verse' } },
})

beforeAll(async () => {
  ;[ledger, mcp] = await Promise.all([startLedger(), startMcpServer()])
  const { client } = context.workspace
  await make('/v1/resources/stakeholder_maps', {
    title: 'People',
    slug: 'people',
    snapshot: { stakeholders: [{ id: 'ann', name: 'Ann' }] },
  })
  await make('/v1/artifacts', { title: 'Note', slug: 'note', content: 'A note' })
  const recorded = { content_base64: audioBody('mp3').audio_base64, mime_type: 'audio/mpeg', title: 'Speech' }
  const asset = await sendUntilTaken(() => client.post<{ job_id: string }>('/v1/assets/ingest', recorded))
  if (asset.status !== 201) throw new Error(JSON.stringify(asset.body))
  await jobWith(client, asset.body.job_id, 'completed')
  await make('/v1/pathways', { title: 'Child', slug: 'child', definition: pathway([{ id: 'z', type: 'end' }]) })
  await make('/v1/skills', { title: 'Refunds', slug: 'refunds', instructions: 'Refund.' })
  await make('/v1/reflexes', { title: 'Built in', slug: 'builtin', source: 'builtin' })
  const responses = { 200: { description: 'fine' } }
  await make('/v1/reflexes', {
    title: 'Ledger',
    slug: 'ledger',
    source: 'openapi',
    openapi: JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Ledger', version: '1' },
      servers: [{ url: ledger.url }],
      paths: { '/table': { post: { operationId: 'bookTable', responses } } },
    }),
  })
  const weather = await make('/v1/reflexes', {
    title: 'Weather',
    slug: 'weather',
    source: 'mcp',
    url: `${mcp.url}/mcp`,
  })
  await jobWith(client, weather.job_id ?? '', 'completed')
  await context.neuron({ slug: 'poet', instructions: 'You are a poet.' })
  await make('/v1/reflexes', { title: 'Children', slug: 'children', source: 'pathway', target: 'child' })
  await make('/v1/reflexes', { title: 'Poetry', slug: 'poetry', source: 'neuron', target: 'poet' })
  const reflexes = ['builtin', 'ledger', 'weather', 'children', 'poetry']
  await context.neuron({
    slug: 'everything',
    neuron_type: 'agent',
    skills: ['refunds'],
    tools: reflexes.map(reflex => ({ reflex, approval: 'never' })),
  })
})
afterAll(() => Promise.all([ledger?.close(), mcp?.close()]))

async function make(path: string, body: object) {
  const send = () => context.workspace.client.post<{ id: string; job_id?: string }>(path, body)
  const { status, body: made } = await sendUntilTaken(send)
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(made)}`)
  return made
}

const isRight = (permission: Permission): boolean => (RIGHTS as readonly Permission[]).includes(permission)

/** Each permission alone, all rights but one, and all permissions that are not rights. */
const CASES: Record<string, Permission[]> = {
  ...Object.fromEntries(PERMISSIONS.map(permission => [permission, [permission]])),
  ...Object.fromEntries(RIGHTS.map(right => [`all but ${right}`, PERMISSIONS.filter(one => one !== right)])),
  others: PERMISSIONS.filter(permission => !isRight(permission)),
}

const table = () => readEffectTable()

/** Returns outcomes by node id: `done` or the error code. */
const readOutcomes = ({ nodes }: JobDetail): Record<string, string> =>
  Object.fromEntries(nodes.map(({ node_id, status, error }) => [node_id, error?.code ?? status]))

const outcomeOf = (needs: Right | undefined, permissions: readonly Permission[]): string =>
  needs === undefined || permissions.includes(needs) ? 'done' : 'FORBIDDEN'

const PORTS: Record<string, string[]> = { choose: ['yes', 'no'], ask: ['approve', 'reject', 'timeout'] }
const CANNOT_FAIL = new Set(['choose', 'ask', 'pause', 'compute'])

/** Returns the edges of a node, which all lead to the join. */
function listEdges(id: string, isGated: boolean): string[] {
  const ends = PORTS[id]?.map(port => `${id}.${port} > all`) ?? [`${id} > all`]
  if (!CANNOT_FAIL.has(id)) ends.push(`${id}.error > all`)
  return isGated ? [`gate > ${id}`, ...ends] : ends
}

/** Builds parallel nodes whose failures do not end the run. */
function buildDefinition(gate?: object) {
  const wanted = Object.entries(nodes())
  const built = wanted.map(([id, { type, fields }]) => ({ id, type, ...fields }))
  const edges = wanted.flatMap(([id]) => listEdges(id, gate !== undefined))
  const join = [
    { id: 'all', type: 'join', mode: 'all' },
    { id: 'z', type: 'end' },
  ]
  return pathway([...(gate === undefined ? [] : [gate]), ...built, ...join], ...edges, 'all > z')
}

const expectedOf = (permissions: readonly Permission[]) =>
  Object.fromEntries(
    Object.entries(nodes()).map(([id, { type, row = type }]) => [id, outcomeOf(table().get(row), permissions)]),
  )

const readNodes = async (client: ApiClient, jobId: string) => {
  const outcomes = readOutcomes(await jobWith(client, jobId, 'completed'))
  return Object.fromEntries(
    Object.keys(nodes()).map(id => [id, outcomes[id] === 'FORBIDDEN' ? 'FORBIDDEN' : toDone(outcomes[id])]),
  )
}

const toDone = (outcome = 'missing') => (['completed', 'TIMEOUT'].includes(outcome) ? 'done' : outcome)

test('the table covers every node type and every tool', () => {
  const rows = new Set([...table().keys()].map(row => row.replace(/ \(.*/, '')))
  const own = [...NODE_TYPES.filter(type => type !== 'tool'), ...Object.keys(BUILTIN_TOOLS), LOAD_SKILL]
  expect(own.filter(name => !rows.has(name))).toEqual([])
  expect([...table().values()].filter(right => right !== undefined && !RIGHTS.includes(right))).toEqual([])
  const tried = Object.values(nodes()).map(({ type }) => type)
  expect(NODE_TYPES.filter(type => ![...tried, 'join', 'end'].includes(type))).toEqual([])
  expect([...Object.keys(BUILTIN_TOOLS), LOAD_SKILL].filter(name => !(name in calls()))).toEqual([])
})

test('a run keeps exactly those permissions that are rights', () => {
  for (const permission of PERMISSIONS)
    expect([permission, filterRights(new Set([permission]))]).toEqual([
      permission,
      isRight(permission) ? [permission] : [],
    ])
})

/** Tries all cases concurrently and compares each outcome with the table. */
async function expectEach(tryCase: (permissions: readonly Permission[], name: string) => Promise<[object, object]>) {
  const tried = await Promise.all(
    Object.entries(CASES).map(async ([name, permissions]) => [name, await tryCase(permissions, name)] as const),
  )
  expect(Object.fromEntries(tried.map(([name, [actual]]) => [name, actual]))).toEqual(
    Object.fromEntries(tried.map(([name, [, expected]]) => [name, expected])),
  )
}

test('a node only works in runs that have the right listed in the table', async () => {
  const { client, permittedTo } = context.workspace
  await make('/v1/pathways', { title: 'All', slug: 'all', definition: buildDefinition() })
  await expectEach(async permissions => {
    const caller = await permittedTo('jobs:start', ...permissions)
    const { status, body } = await sendUntilTaken(() =>
      caller.post<{ job_id: string }>('/v1/jobs', { pathway_id: 'all' }),
    )
    if (status !== 202) throw new Error(JSON.stringify(body))
    return [await readNodes(client, body.job_id), expectedOf(['jobs:start', ...permissions])]
  })
})

test('a run loses all rights if a person without rights moves it', async () => {
  const { client, permittedTo } = context.workspace
  const gate = { id: 'gate', type: 'wait', event: 'go' }
  await make('/v1/pathways', { title: 'Gated', slug: 'gated', definition: buildDefinition(gate) })
  await client.patch('/v1/pathways/gated', { definition: { ...buildDefinition(gate), run_title: 'Moved' } })
  const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: 'gated@1' })
  const { job_id } = body
  await jobWith(client, job_id, 'waiting')
  const mover = await permittedTo('jobs:control')
  const moved = await mover.post('/v1/jobs/migrate', {
    pathway: 'gated',
    from_version: 1,
    to_version: 2,
    filter: { job_ids: [job_id] },
    confirm: true,
  })
  expect(moved.body).toMatchObject({ counts: { moved: 1 } })
  expect((await client.post(`/v1/jobs/${job_id}/resume`, { event: 'go' })).status).toBe(200)
  expect(await readNodes(client, job_id)).toEqual(expectedOf([]))
})

test('a tool only works in runs that have the right listed in the table', async () => {
  const { client, id, permittedTo } = context.workspace
  const listed = (await client.get<{ data: { name: string; source: string }[] }>('/v1/tools?limit=100')).body.data
  const named = Object.entries(calls()).map(([row, { name, source, args }]) => ({
    row: row.split(',')[0] ?? '',
    name: name ?? (source === undefined ? row : (listed.find(tool => tool.source === source)?.name ?? '')),
    args,
  }))
  await expectEach(async (permissions, title) => {
    const caller = await permittedTo('conversations:write', ...permissions)
    const { body: file } = await sendUntilTaken(() => caller.post<{ id: string }>('/v1/files', { text: 'A file' }))
    const argsOf = (name: string, args: object) => (name === 'read_file' ? { file_id: file.id } : args)
    const topic = `all tools with ${title}.`
    context.plays(
      topic,
      { calls: named.map(({ name, args }, i) => ({ id: `c${i}`, name, args: argsOf(name, args) as never })) },
      { tokens: ['Done.'] },
    )
    const said = { neuron: 'everything', message: `Use ${topic}`, files: [file.id] }
    const { status, body } = await sendUntilTaken(() => caller.post<{ job_id: string }>('/v1/chat/new', said))
    if (status !== 202) throw new Error(JSON.stringify(body))
    const [question] = await asked(client, body.job_id)
    const answered = { action: 'decline_questions' }
    await sendUntilTaken(() => answer(client, id, body.job_id, question?.interventionId ?? '', answered))
    const outcomes = readOutcomes(await jobWith(client, body.job_id, 'completed'))
    return [
      Object.fromEntries(named.map(({ name }) => [name, toDone(outcomes[name])])),
      Object.fromEntries(named.map(({ name, row }) => [name, outcomeOf(table().get(row), permissions)])),
    ]
  })
})
