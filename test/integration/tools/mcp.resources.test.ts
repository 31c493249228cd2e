import { createHash, randomUUID } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/client'
import { connectMcp, ERAS, post, rpc } from '../../support/tools/mcp.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useStack } from '../../support/stack/use-stack.ts'

/** Resources, changes to resources, and skills in MCP clients. */

const context = useStack()
const url = () => `${context.stack.baseUrl}/v1/mcp`
const create = async (path: string, body: object) =>
  (await context.workspace.client.post<{ id: string; slug: string }>(path, body)).body

describe.each(ERAS)('in revision %s', era => {
  let client: Client
  beforeAll(async () => {
    client = await connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key, era })
  })
  afterAll(() => client?.close())

  const textOf = async (uri: string) => {
    const [part] = (await client.readResource({ uri })).contents
    return part && 'text' in part ? part.text : undefined
  }

  test('documents can be listed, and read by id and slug, by version and in parts', async () => {
    const slug = `doc-${randomUUID().slice(0, 8)}`
    const { id } = await create('/v1/artifacts', { title: 'Read me', slug, content: 'First' })
    await context.workspace.client.patch(`/v1/artifacts/${id}`, { content: { replace: 'Second' } })
    const { resources } = await client.listResources()
    expect(resources).toContainEqual(expect.objectContaining({ uri: `ganglion://artifacts/${id}`, name: slug }))
    for (const name of [id, slug]) expect(await textOf(`ganglion://artifacts/${name}`)).toBe('Second')
    expect(await textOf(`ganglion://artifacts/${id}/versions/1`)).toBe('First')
    const long = await create('/v1/artifacts', { title: 'Long', content: 'a'.repeat(250_000) })
    const [part] = (await client.readResource({ uri: `ganglion://artifacts/${long.id}` })).contents
    const { next_uri: next = '' } = (part?._meta ?? {}) as { next_uri?: string }
    expect(await textOf(next)).toBe('a'.repeat(50_000))
  })

  test('kinds and slugs can be completed', async () => {
    const { resourceTemplates } = await client.listResourceTemplates()
    const ref = { type: 'ref/resource' as const, uri: resourceTemplates[0]?.uriTemplate ?? '' }
    const kinds = await client.complete({ ref, argument: { name: 'kind', value: 'a' } })
    expect(kinds.completion.values.sort()).toEqual(['artifacts', 'assets'])
    const slug = `complete-${randomUUID().slice(0, 8)}`
    await create('/v1/artifacts', { title: 'Complete', slug, content: 'x' })
    const argument = { name: 'id', value: slug.slice(0, 12) }
    const found = await client.complete({ ref, argument, context: { arguments: { kind: 'artifacts' } } })
    expect(found.completion.values).toEqual([slug])
  })

  test('a skill is available as a prompt', async () => {
    const slug = `skill-${randomUUID().slice(0, 8)}`
    await create('/v1/skills', { title: 'Be kind', slug, description: 'How to be kind', instructions: 'Smile.' })
    const { prompts } = await client.listPrompts()
    expect(prompts).toContainEqual(expect.objectContaining({ name: slug, description: 'How to be kind' }))
    const { messages } = await client.getPrompt({ name: slug, arguments: { task: 'Greet Zoë' } })
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringMatching(/Smile[^]*Greet Zoë/) as string } },
    ])
  })

  test('missing documents and documents of another workspace return the same error', async () => {
    const { id } = await create('/v1/artifacts', { title: 'Mine', content: 'secret' })
    const other = await context.stack.workspace()
    const stranger = await connectMcp({ baseUrl: context.stack.baseUrl, token: other.api_key, era })
    for (const uri of [
      `ganglion://artifacts/${id}`,
      `ganglion://artifacts/${randomUUID()}`,
      'ganglion://nothing/x',
      'file:///etc/passwd',
    ])
      await expect(stranger.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringContaining('Resource not found') as string,
      })
    await expect(stranger.getPrompt({ name: 'nothing' })).rejects.toThrow()
    await stranger.close()
  })
})

test('skills have entries with the hashes of their files', async () => {
  const slug = `notes-${randomUUID().slice(0, 8)}`
  const files = [{ name: 'guide.md', text: 'Step one.' }]
  await create('/v1/skills', { title: 'Notes', slug, description: 'Take notes', instructions: 'Write.', files })
  const send = async (method: string, params: Record<string, unknown>) =>
    (await rpc(url(), context.workspace.api_key, { method, params })).result as never
  const uri = `skill://${slug}/SKILL.md`
  const { skill } = (await send('skills/get', { uri })) as {
    skill: { frontmatter: object; resources: { contents: { uri: string; digest: string }[] } }
  }
  expect(skill).toMatchObject({ uri, frontmatter: { name: slug, description: 'Take notes' } })
  const { skills } = (await send('skills/list', {})) as { skills: object[] }
  expect(skills).toContainEqual(skill)
  const digests = JSON.stringify(skill)
  for (const path of ['SKILL.md', 'files/guide.md']) {
    const { contents } = (await send('resources/read', { uri: `skill://${slug}/${path}` })) as {
      contents: { text: string }[]
    }
    expect(digests).toContain(
      createHash('sha256')
        .update(contents[0]?.text ?? '')
        .digest('hex'),
    )
  }
  const unknown = await rpc(url(), context.workspace.api_key, {
    method: 'skills/get',
    params: { uri: 'skill://nothing/SKILL.md' },
  })
  expect(unknown.error).toMatchObject({ code: -32_602 })
})

test("a subscription reports only changes in its caller's workspace", async () => {
  const client = await connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key })
  const notices: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notices.push(params.uri))
  client.setNotificationHandler('notifications/prompts/list_changed', () => void notices.push('prompts'))
  const { id } = await create('/v1/artifacts', { title: 'Watched', content: '1' })
  const other = await context.stack.workspace()
  const { body: foreign } = await other.client.post<{ id: string }>('/v1/artifacts', { title: 'Foreign', content: '1' })
  const watched = [id, foreign.id].map(one => `ganglion://artifacts/${one}`)
  const subscription = await client.listen({ resourceSubscriptions: watched, promptsListChanged: true })
  await other.client.patch(`/v1/artifacts/${foreign.id}`, { content: { replace: '2' } })
  await context.workspace.client.patch(`/v1/artifacts/${id}`, { content: { replace: '2' } })
  await create('/v1/skills', { title: 'New', instructions: 'x' })
  await waitUntil(async () => notices.includes('prompts'))
  expect(notices).toEqual([watched[0], 'prompts'])
  await subscription.close()
  await client.close()
})

test('a message above the body limit is rejected', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { filler: 'x'.repeat(1_100_000) } }
  const refused = await post(url(), message, { Authorization: `Bearer ${context.workspace.api_key}` })
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { data: { code: 'PAYLOAD_TOO_LARGE' } } },
  ])
})
