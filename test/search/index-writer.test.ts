import { randomUUID } from 'node:crypto'
import { CHUNKS_PER_PART } from '../../search/indexed-resource.ts'
import type { IndexedResource } from '../../search/indexed-resource.ts'
import { resource, useSearch } from './search-fixture.ts'

const fixture = useSearch()

/** Returns a text that fills this many parts. Each chunk contains its number. */
const textsOf = (parts: number, word: string): string[] =>
  Array.from({ length: (parts - 1) * CHUNKS_PER_PART + 1 }, (_, n) => `${word} chunk${n}`)

const found = async (workspace: string, query: string) =>
  (await fixture.find(workspace, query, { mode: 'keyword' })).length

async function write(...changes: Parameters<typeof fixture.search.write>[0]) {
  const written = await fixture.search.write(changes)
  await fixture.search.refresh()
  return written
}

function identity() {
  const workspace_id = randomUUID()
  const resource_id = randomUUID()
  const of = (revision: bigint | string, fields: Partial<IndexedResource> & { texts?: string[] } = {}) =>
    resource({ workspace_id, resource_id, revision, ...fields })
  return { workspace_id, resource_id, of }
}

describe('a put', () => {
  test('can be found by its text, its title and its slug, and without text by its title and slug', async () => {
    const { workspace_id, of } = identity()
    const put = of(1n, { title: 'Annual report', slug: 'quarterly-figures', texts: ['the harvest was good'] })
    expect(await write({ put })).toMatchObject([{ ok: true, parts: 1 }])
    for (const query of ['harvest', 'annual', 'quarterly figures']) expect(await found(workspace_id, query)).toBe(1)

    const bare = resource({ workspace_id, title: 'Empty folder note', slug: 'bare' })
    expect(await write({ put: bare })).toMatchObject([{ ok: true, parts: 1 }])
    const [match] = await fixture.find(workspace_id, 'empty')
    expect(match).toMatchObject({ resource_id: bare.resource_id, chunk: null, ranks: { keyword: 1 } })
  })

  test('of a newer revision replaces the older one, and an older one changes nothing without failing', async () => {
    const { workspace_id, of } = identity()
    await write({ put: of('9', { texts: ['nine'] }) })
    expect(await write({ put: of(10n, { texts: ['ten'] }) })).toMatchObject([{ ok: true, parts: 1 }])
    expect(await write({ put: of(9n, { texts: ['late'] }) })).toMatchObject([{ ok: true, parts: 1 }])
    expect(await found(workspace_id, 'ten')).toBe(1)
    expect(await found(workspace_id, 'nine late')).toBe(0)
  })

  test('can have any revision that Postgres can return', async () => {
    const { workspace_id, of } = identity()
    await write({ put: of(9_223_372_036_854_775_806n, { texts: ['largest'] }) })
    await write({ put: of('9223372036854775805', { texts: ['lower'] }) })
    expect(await found(workspace_id, 'largest')).toBe(1)
    expect(await found(workspace_id, 'lower')).toBe(0)
  })

  test('is idempotent', async () => {
    const { workspace_id, of } = identity()
    const put = of(3n, { texts: textsOf(2, 'again') })
    expect(await write({ put }, { put })).toMatchObject([
      { ok: true, parts: 2 },
      { ok: true, parts: 2 },
    ])
    expect(await found(workspace_id, 'again')).toBe(1)
  })

  test('that shrinks a resource from 5 parts to 1 removes the other parts', async () => {
    const { workspace_id, of } = identity()
    expect(await write({ put: of(1n, { texts: textsOf(5, 'long') }) })).toMatchObject([{ ok: true, parts: 5 }])
    expect(await found(workspace_id, `chunk${4 * CHUNKS_PER_PART}`)).toBe(1)
    const short = of(2n, { texts: ['short'], formerParts: 5 })
    expect(await write({ put: short })).toMatchObject([{ ok: true, parts: 1 }])
    expect(await found(workspace_id, 'short')).toBe(1)
    for (const n of [1, 4 * CHUNKS_PER_PART]) expect(await found(workspace_id, `chunk${n} long`)).toBe(0)

    await write({ put: of(1n, { texts: textsOf(5, 'long') }) })
    expect(await found(workspace_id, 'long')).toBe(0)
  })

  test('larger than one request is written in full', async () => {
    const { workspace_id, of } = identity()
    const texts = textsOf(6, 'wide').map(text => `${text} ${'many words '.repeat(700)}`)
    expect(await write({ put: of(1n, { texts }) })).toMatchObject([{ ok: true, parts: 6 }])
    const [match] = await fixture.find(workspace_id, `chunk${5 * CHUNKS_PER_PART}`, { mode: 'keyword' })
    expect(match?.chunk?.ordinal).toBe(5 * CHUNKS_PER_PART)
  })
})

describe('a removal', () => {
  test('removes all parts, and no late put restores them', async () => {
    const { workspace_id, resource_id, of } = identity()
    const put = of(5n, { texts: textsOf(2, 'gone') })
    await write({ put })
    expect(await write({ remove: { resource_id, revision: 6n, formerParts: 2 } })).toMatchObject([
      { ok: true, parts: 0 },
    ])
    expect(await found(workspace_id, 'gone')).toBe(0)
    await write({ put })
    expect(await found(workspace_id, 'gone')).toBe(0)
  })

  test('of an unknown resource blocks an older put', async () => {
    const { workspace_id, resource_id, of } = identity()
    await write({ remove: { resource_id, revision: 2n, formerParts: 0 } })
    await write({ put: of(1n, { texts: ['ghost'] }) })
    expect(await found(workspace_id, 'ghost')).toBe(0)
  })

  test('is undone by a newer put', async () => {
    const { workspace_id, resource_id, of } = identity()
    await write({ put: of(1n, { texts: ['restored'] }) })
    await write({ remove: { resource_id, revision: 2n, formerParts: 1 } })
    await write({ put: of(3n, { texts: ['restored'] }) })
    expect(await found(workspace_id, 'restored')).toBe(1)
  })

  test('that arrives late removes no newer revision', async () => {
    const { workspace_id, resource_id, of } = identity()
    await write({ put: of(4n, { texts: ['stays'] }) })
    expect(await write({ remove: { resource_id, revision: 3n, formerParts: 1 } })).toMatchObject([
      { ok: true, parts: 0 },
    ])
    expect(await found(workspace_id, 'stays')).toBe(1)
  })
})

describe('a document that does not fit the index', () => {
  test('fails alone, with the reason and without a retry, and its neighbors are written', async () => {
    const { workspace_id, of } = identity()
    const unfit = resource({ workspace_id, title: 'Unfit', created_at: 'yesterday' })
    const wrongVector = resource({ workspace_id, texts: ['unfit'] })
    for (const chunk of wrongVector.chunks) chunk.vector = Float32Array.of(1, 0)
    const written = await write({ put: unfit }, { put: of(1n, { texts: ['fit'] }) }, { put: wrongVector })
    expect(written).toMatchObject([
      { ok: false, retry: false, reason: expect.stringContaining('created_at') },
      { ok: true, parts: 1 },
      { ok: false, retry: false, reason: expect.stringContaining('vector') },
    ])
    expect(await found(workspace_id, 'fit')).toBe(1)
    expect(await found(workspace_id, 'unfit')).toBe(0)
  })

  test('loses only the metadata filters that are invalid', async () => {
    const { workspace_id, of } = identity()
    const metadata = {
      long: 'x'.repeat(40_000),
      ['k'.repeat(40_000)]: 'v',
      'dotted.name': 'y',
      '': 'z',
      many: ['a', 'b', null],
      none: null,
    }
    expect(await write({ put: of(1n, { texts: ['metadata'], metadata }) })).toMatchObject([{ ok: true, parts: 1 }])
    const filtered = (wanted: Record<string, string>) => fixture.find(workspace_id, 'metadata', { metadata: wanted })
    expect(await filtered({ 'dotted.name': 'y', many: 'b' })).toHaveLength(1)
    expect(await filtered({ long: 'x'.repeat(40_000) })).toEqual([])
    expect(await filtered({ ['k'.repeat(40_000)]: 'v' })).toEqual([])
  })
})

test('each response names the index that contains the resource', async () => {
  const { resource_id, of } = identity()
  const index = await fixture.search.live()
  expect(await write({ put: of(1n) })).toEqual([{ ok: true, parts: 1, index }])
  expect(await write({ remove: { resource_id, revision: 2n, formerParts: 1 } })).toEqual([
    { ok: true, parts: 0, index },
  ])
  const target = await fixture.search.createTarget()
  expect(await fixture.search.write([{ put: of(3n) }], { target })).toEqual([{ ok: true, parts: 1, index: target }])
})

test('an empty batch needs no request', async () => {
  expect(await fixture.search.write([])).toEqual([])
})
