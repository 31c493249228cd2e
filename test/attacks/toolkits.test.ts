import type { Client } from '@modelcontextprotocol/client'
import { execute } from '../../data/shared/statements.ts'
import { SERVICE_TOOLS } from '../../domain/tools/mcp-toolkits.ts'
import { BUILTIN_TOOLS } from '../../api/mcp/tools/toolkits.ts'
import type { Browser } from '../support/clients/browser.ts'
import { sendUntilTaken } from '../support/clients/client.ts'
import { callTool, connectMcp, post, refusedTool, rpc, TASKS } from '../support/tools/mcp.ts'
import { jobWith, pathway } from '../support/runs/runs.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** A toolkit is a boundary, and each call in a batch counts as a request. */

const context = useStack()
const ask = { id: 'review', type: 'human', kind: 'approval', title: 'May it?', assignees: ['user:ann'] }
const done = { id: 'z', type: 'end', output: 'done' }

let builder: Browser
let client: Client
let document: string
const url = (path = '') => `${context.stack.baseUrl}/v1/mcp${path}`

beforeAll(async () => {
  const { client: api } = context.workspace
  builder = await signInAs(context.stack, context.workspace, 'user:bea', 'builder')
  const asking = pathway([ask, done], 'review.approve > z', 'review.reject > z')
  const make = async (path: string, fields: object) => {
    const { status, body } = await sendUntilTaken(() => api.post<{ id: string }>(path, fields))
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body.id
  }
  for (const slug of ['offered', 'hidden']) await make('/v1/pathways', { title: slug, slug, definition: asking })
  document = await make('/v1/artifacts', { title: 'Secret', content: 'for others' })
  await make('/v1/skills', { title: 'Manual', slug: 'manual', instructions: 'For others.' })
  const tools = [{ type: 'pathway', ref: 'offered', name: 'do_it' }]
  const { status } = await builder.send('POST', '/v1/mcp-toolkits', { name: 'Desk', slug: 'desk', tools })
  if (status !== 201) throw new Error(`the toolkit was not made: ${status}`)
  client = await connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key, path: '/desk' })
})
afterAll(() => client?.close())

const startRun = async (pathway_id: string, as = context.workspace.client) => {
  const { status, body } = await as.post<{ job_id: string }>('/v1/jobs', { pathway_id })
  if (status !== 202) throw new Error(JSON.stringify(body))
  await jobWith(context.workspace.client, body.job_id, 'waiting')
  return body.job_id
}

describe('a toolkit', () => {
  test('reaches the runs started by its tools, and the questions from these runs', async () => {
    const { job_id } = await callTool<{ job_id: string }>(client, 'do_it')
    expect(await callTool(client, 'get_run', { job_id })).toMatchObject({ status: 'waiting' })
    const { waitingFor } = await jobWith(context.workspace.client, job_id, 'waiting')
    const question_id = waitingFor?.[0]?.interventionId
    expect(await callTool(client, 'answer_question', { question_id, action: 'approve' })).toMatchObject({
      decided: true,
    })
    expect(await callTool(client, 'wait_for_run', { job_id })).toMatchObject({ status: 'completed', result: 'done' })
  })

  test('reaches no other run, whether from another pathway or person, as a task or by its question', async () => {
    const other = await context.workspace.as('user:cy')
    const runs = [await startRun('hidden'), await startRun('offered', other)]
    for (const job_id of runs) {
      for (const name of ['get_run', 'diagnose_run', 'wait_for_run', 'cancel_run'])
        expect(await refusedTool(client, name, { job_id })).toMatchObject({ code: 'NOT_FOUND' })
      const { waitingFor } = await jobWith(context.workspace.client, job_id, 'waiting')
      const answer = { question_id: waitingFor?.[0]?.interventionId, action: 'approve' }
      expect(await refusedTool(client, 'answer_question', answer)).toMatchObject({ code: 'NOT_FOUND' })
      for (const method of ['tasks/get', 'tasks/cancel']) {
        const request = { method, params: { taskId: job_id }, capabilities: TASKS }
        expect(await rpc(url('/desk'), context.workspace.api_key, request)).toMatchObject({ error: {} })
        if (method === 'tasks/get')
          expect(await rpc(url(), context.workspace.api_key, request)).toMatchObject({ result: { taskId: job_id } })
      }
      expect(await jobWith(context.workspace.client, job_id, 'waiting')).toMatchObject({ status: 'waiting' })
    }
  })

  test('offers no workspace resources or skills', async () => {
    const uri = `ganglion://artifacts/${document}`
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listPrompts()).prompts).toEqual([])
    await expect(client.readResource({ uri })).rejects.toThrow()
    await expect(client.readResource({ uri: 'skill://manual/SKILL.md' })).rejects.toThrow()
    await expect(client.getPrompt({ name: 'manual' })).rejects.toThrow()
    const connect = (path: string) =>
      connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key, path })
    for (const path of ['/pathways', '/inbox']) {
      const narrow = await connect(path)
      await expect(narrow.readResource({ uri })).rejects.toThrow()
      await narrow.close()
    }
    const documents = await connect('/documents')
    expect(JSON.stringify(await documents.readResource({ uri }))).toContain('for others')
    await expect(documents.readResource({ uri: 'ganglion://pathways/hidden' })).rejects.toThrow()
    await documents.close()
  })

  test('contains no tool with the name of a service tool', async () => {
    const named = (name: string) => ({ type: 'pathway', ref: 'offered', name })
    const save = (...names: string[]) =>
      builder.send('POST', '/v1/mcp-toolkits', { name: 'Fake', tools: names.map(named) })
    for (const name of SERVICE_TOOLS) expect([name, (await save(name)).status]).toEqual([name, 400])
    expect((await save('answer_question')).body).toMatchObject({
      details: [{ pointer: '/tools/0/name', message: expect.stringContaining('which is a service tool') }],
    })
    const { body } = await builder.send('POST', '/v1/mcp-toolkits', { name: 'Old', tools: [named('fine')] })
    const { id, slug } = body as unknown as { id: string; slug: string }
    await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      execute(tx, `update mcp_toolkits set tools = replace(tools::text, '"fine"', '"get_run"')::jsonb where id = $1`, [
        id,
      ]),
    )
    const old = await connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key, path: `/${slug}` })
    const { tools } = await old.listTools()
    await old.close()
    expect(tools.find(({ name }) => name === 'get_run')?.title).toBe('Read a run')
    expect(tools.map(({ name }) => name)).not.toContain('fine')
    expect(BUILTIN_TOOLS.map(({ name }) => name).toSorted()).toEqual(SERVICE_TOOLS.toSorted())
  })
})

describe('a batch', () => {
  const send = (calls: number) => {
    const messages = Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    return post(url(), messages, {
      Authorization: `Bearer ${context.workspace.api_key}`,
      'MCP-Protocol-Version': '2025-03-26',
    })
  }
  const readRemaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))

  test('counts each of its calls as a separate request', async () => {
    const before = readRemaining(await send(1))
    expect(before - readRemaining(await send(10))).toBe(10)
  })

  test('is limited in size', async () => {
    const refused = await send(21)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('at most 20')
  })
})
