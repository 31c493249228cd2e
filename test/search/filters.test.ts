import { randomUUID } from 'node:crypto'
import type { SearchQuery } from '../../search/query/search-query.ts'
import { resource, useSearch } from './search-fixture.ts'

const fixture = useSearch()
const workspace_id = randomUUID()
const [sales, legal] = [randomUUID(), randomUUID()]

/** All documents match the same query. They differ only in the filtered fields. */
const document = (title: string, fields: object) =>
  resource({ workspace_id, title, texts: [`${title}: a dog`], ...fields })

beforeAll(async () => {
  await fixture.put(
    document('invoice', {
      kind: 'assets',
      path: '/finance/invoices',
      created_at: '2026-01-10T00:00:00.000Z',
      metadata: { status: 'open', amount: 12.5, pages: 3, paid: false, tags: ['a', 'b'], big: 1e21 },
    }),
    document('budget', {
      kind: 'artifacts',
      path: '/finance',
      brain_id: sales,
      created_at: '2026-02-10T00:00:00.000Z',
      metadata: { status: 'closed', amount: 12, paid: true, 'a.b': 'nested' },
    }),
    document('contract', {
      kind: 'assets',
      path: '/finance-old/2025',
      brain_id: legal,
      created_at: '2026-03-10T00:00:00.000Z',
      metadata: { status: 'Open' },
    }),
  )
})

const cases: [string, Partial<SearchQuery>, string[]][] = [
  ['no filter', {}, ['budget', 'contract', 'invoice']],
  ['one kind', { types: ['assets'] }, ['contract', 'invoice']],
  ['several kinds', { types: ['assets', 'artifacts'] }, ['budget', 'contract', 'invoice']],
  ['an empty kind', { types: ['meetings'] }, []],
  ['no kinds', { types: [] }, []],
  ['the root', { path_prefix: '/' }, ['budget', 'contract', 'invoice']],
  ['a folder with its subfolders', { path_prefix: '/finance' }, ['budget', 'invoice']],
  ['a subfolder', { path_prefix: '/finance/invoices' }, ['invoice']],
  ['the start of a name, which is not a folder', { path_prefix: '/fin' }, []],
  ['a path with wildcards, which are ordinary characters', { path_prefix: '/*' }, []],
  ['created after a time', { created_after: '2026-02-10T00:00:00.000Z' }, ['budget', 'contract']],
  ['created before a time', { created_before: '2026-02-10T00:00:00.000Z' }, ['invoice']],
  [
    'created within a period',
    { created_after: '2026-01-11T00:00:00Z', created_before: '2026-03-10T00:00:00+00:00' },
    ['budget'],
  ],
  ['one brain, with resources without a brain', { brain_ids: [sales] }, ['budget', 'invoice']],
  ['two brains', { brain_ids: [sales, legal] }, ['budget', 'contract', 'invoice']],
  ['no brain', { brain_ids: [] }, ['invoice']],
  ['metadata as exact text', { metadata: { status: 'open' } }, ['invoice']],
  ['metadata as a number', { metadata: { amount: 12 } }, ['budget']],
  ['metadata as a fraction', { metadata: { amount: 12.5, pages: 3 } }, ['invoice']],
  ['metadata as a large number', { metadata: { big: 1e21 } }, ['invoice']],
  ['metadata as a boolean', { metadata: { paid: true } }, ['budget']],
  ['metadata in a list', { metadata: { tags: 'b' } }, ['invoice']],
  ['metadata with a dot in its name', { metadata: { 'a.b': 'nested' } }, ['budget']],
  ['missing metadata', { metadata: { status: 'open', missing: 'x' } }, []],
  ['metadata without a name', { metadata: { '': 'x' } }, []],
  ['metadata with wildcards', { metadata: { '*': 'open', 'stat*': '*' } }, []],
  ['a path of any length', { path_prefix: `/${'folder/'.repeat(10_000)}` }, []],
  ['a kind of any length', { types: ['assets'.repeat(10_000)] }, []],
  ['text that looks like a query', { metadata: { status: '{"match_all":{}}' }, types: ['* OR 1=1'] }, []],
  ['unpaired surrogates', { metadata: { '\uD800': '\uDC00' }, path_prefix: '/\uD800', types: ['\uD800'] }, []],
  ['several combined filters', { types: ['assets'], path_prefix: '/finance', metadata: { paid: false } }, ['invoice']],
]

describe.each(['keyword', 'semantic', 'hybrid'] as const)('a %s search', mode => {
  test.each(cases)('filtered by %s', async (_, filters, titles) => {
    const found = await fixture.titles(workspace_id, 'dog', { mode, ...filters })
    expect(found.toSorted()).toEqual(titles)
  })
})
