import { randomUUID } from 'node:crypto'
import type { SearchQuery } from '../../search/query/search-query.ts'
import { resource, useSearch } from './search-fixture.ts'

const fixture = useSearch()
const [ours, theirs, empty] = [randomUUID(), randomUUID(), randomUUID()]
const brain_id = randomUUID()

/** Returns a resource whose searchable and filterable fields are the same in each workspace. */
const twin = (workspace_id: string, n: number) =>
  resource({
    workspace_id,
    title: `Refund policy of ${workspace_id === ours ? 'ours' : 'theirs'}`,
    slug: 'refund-policy',
    path: '/policies',
    brain_id,
    metadata: { status: 'open' },
    texts: [`Money is refunded, clause ${n}`, 'The dog stays with the vehicle'],
  })

const FILTERS: [string, Partial<SearchQuery>][] = [
  ['without filters', {}],
  ['by kind', { types: ['assets'] }],
  ['by folder', { path_prefix: '/policies' }],
  ['by brain', { brain_ids: [brain_id] }],
  ['by metadata', { metadata: { status: 'open' } }],
  ['by metadata that names the workspace', { metadata: { workspace_id: theirs } }],
  ['by time', { created_after: '2020-01-01T00:00:00Z', created_before: '2030-01-01T00:00:00Z' }],
]

beforeAll(async () => {
  await fixture.put(
    ...Array.from({ length: 30 }, (_, n) => twin(theirs, n)),
    ...Array.from({ length: 3 }, (_, n) => twin(ours, n)),
  )
})

describe.each(['keyword', 'semantic', 'hybrid'] as const)('a %s search', mode => {
  test.each(FILTERS)('finds nothing in a neighboring workspace with the same texts, %s', async (_, filters) => {
    const found = await fixture.titles(ours, 'refund policy money dog clause', { mode, limit: 100, ...filters })
    expect(found).toEqual(filters.metadata?.['workspace_id'] ? [] : Array(3).fill('Refund policy of ours'))
  })

  test('finds nothing in a workspace without resources', async () => {
    expect(await fixture.find(empty, 'refund policy money', { mode })).toEqual([])
  })

  test('finds nothing for a workspace id that looks like a pattern for other ids', async () => {
    for (const id of ['*', '', `${ours.slice(0, 8)}*`]) expect(await fixture.find(id, 'money', { mode })).toEqual([])
  })
})

test.each(['keyword', 'semantic', 'hybrid'] as const)(
  '%s scores do not reveal words from a neighboring workspace',
  async mode => {
    const [own, neighbor] = [randomUUID(), randomUUID()]
    const note = (workspace_id: string, text: string) => resource({ workspace_id, title: 'Note', texts: [text] })
    const word = `word${mode}`
    await fixture.put(note(own, `a plan for zebraquartz`), note(own, `a plan for ${word} and more`))
    const readScores = async () =>
      (await fixture.find(own, `zebraquartz ${word}`, { mode })).map(({ title, score }) => [title, score])
    const before = await readScores()
    expect(before).toHaveLength(2)
    await fixture.put(...Array.from({ length: 20 }, () => note(neighbor, `the merger with ${word}`)))
    expect(await readScores()).toEqual(before)
  },
)
