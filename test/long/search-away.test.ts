import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../support/stack/process.ts'
import { useFaultContext } from '../faults/support/fault-context.ts'
import type { SearchReply } from '../../contract/search/search.ts'

const AWAY_MS = 10_000

const context = useFaultContext('elasticsearch')

const search = (query: string, mode = 'keyword') =>
  context.workspace.client.post<SearchReply>('/v1/search', { query, mode, limit: 200 })
const titles = async (query: string) => (await search(query)).body.matches?.map(({ title }) => title) ?? []
const write = (title: string, instructions: string) =>
  context.workspace.client.post<{ id: string }>('/v1/resources/skills', { title, document: { instructions } })
const health = () => context.workspace.client.get<{ status: string; components: Record<string, string> }>('/v1/health')

test('while Elasticsearch is unavailable, writes continue and searches are rejected, and indexing catches up afterwards', async () => {
  const { stack, components, workspace } = context
  const before = await write('Before', 'The lynx was seen in the valley.')
  await waitUntil(async () => (await titles('lynx')).includes('Before'))

  await components.stopOne('elasticsearch')
  const since = Date.now()
  await waitUntil(async () => (await health()).body.components['elasticsearch'] === 'down')
  expect((await health()).body.status).toBe('degraded')
  for (let n = 0; n < 20; n++) expect((await write(`Meanwhile ${n}`, `The lynx, note ${n}.`)).status).toBe(201)
  const patched = { merge: { document: { instructions: 'The wolverine was seen instead.' } } }
  expect((await workspace.client.post(`/v1/resources/skills/${before.body.id}/patch`, patched)).status).toBe(200)
  for (const mode of ['keyword', 'semantic', 'hybrid']) {
    const { status, body } = await search('lynx', mode)
    expect({ status, body }).toEqual({
      status: 503,
      body: { message: expect.any(String), code: 'UNAVAILABLE', retryAfter: expect.any(Number) },
    })
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/)
  }
  await sleep(Math.max(0, since + AWAY_MS - Date.now()))
  await components.startOne('elasticsearch')

  const wanted = Array.from({ length: 20 }, (_, n) => `Meanwhile ${n}`).toSorted()
  await waitUntil(async () => (await titles('lynx')).length === 20)
  expect((await titles('lynx')).toSorted()).toEqual(wanted)
  expect(await titles('wolverine')).toEqual(['Before'])
  expect([stack.api.child.exitCode, stack.worker.child.exitCode]).toEqual([null, null])
})

test('when a worker is killed during indexing, nothing is lost', async () => {
  const { stack } = context
  const text = Array.from({ length: 20 }, (_, n) => `Paragraph ${n} speaks of the capybara and the river. `.repeat(8))
  const names = Array.from({ length: 15 }, (_, n) => `Capybara ${n}`)
  await Promise.all(names.map(name => write(name, `${name}. ${text.join('\n\n')}`)))
  for (let kills = 0; kills < 2; kills++) {
    await sleep(700)
    stack.worker.child.kill('SIGKILL')
    await stack.restartWorker()
  }
  await waitUntil(async () => (await titles('capybara')).length === 15)
  expect((await titles('capybara')).toSorted()).toEqual(names.toSorted())
})
