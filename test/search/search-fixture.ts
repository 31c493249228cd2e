import { randomBytes, randomUUID } from 'node:crypto'
import { readEnvironment } from '../../config/environment.ts'
import type { Change, IndexedResource } from '../../search/indexed-resource.ts'
import type { Match, SearchQuery } from '../../search/query/search-query.ts'
import { openSearch, type Search } from '../../search/search.ts'
import { conceptEmbedder, embedText } from './concepts.ts'

export interface SearchFixture {
  search: Search
  url: string
  prefix: string
  /** Writes resources and makes them searchable. Throws if a write fails. */
  put(...resources: IndexedResource[]): Promise<void>
  /** Returns the search matches in the workspace. */
  find(workspaceId: string, query: string, more?: Partial<SearchQuery>): Promise<Match[]>
  /** Returns the titles of the search matches. */
  titles(workspaceId: string, query: string, more?: Partial<SearchQuery>): Promise<string[]>
}

/** Tests also run on busy machines. */
export const READ_TIMEOUT_MS = 30_000

export const elasticsearchUrl = (): string => {
  const url = readEnvironment()['ELASTICSEARCH_URL']
  if (!url) throw new Error('These tests need Elasticsearch')
  return url
}

/** Creates separate indices for a test file, with one index that is ready. */
export function useSearch(): SearchFixture {
  const url = elasticsearchUrl()
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const search = openSearch({ url, prefix, readTimeoutMs: READ_TIMEOUT_MS, embedder: conceptEmbedder })
  const fixture: SearchFixture = {
    search,
    url,
    prefix,
    put: async (...resources) => {
      const changes: Change[] = resources.map(put => ({ put }))
      const failed = (await search.write(changes)).find(({ ok }) => !ok)
      if (failed) throw new Error(JSON.stringify(failed))
      await search.refresh()
    },
    find: async (workspace_id, query, more) => {
      const asked = { workspace_id, query, brain_ids: null, mode: 'hybrid' as const, limit: 20, offset: 0, ...more }
      return (await search.search(asked)).matches
    },
    titles: async (...asked) => (await fixture.find(...asked)).map(({ title }) => title),
  }
  beforeAll(async () => {
    expect(await search.ensure()).toMatchObject({ state: 'ready' })
  })
  afterAll(async () => {
    await dropAll(search)
    await search.close()
  })
  return fixture
}

export async function dropAll(search: Search): Promise<void> {
  for (const { name } of await search.listIndices()) await search.dropIndex(name)
}

interface Fields extends Partial<Omit<IndexedResource, 'chunks'>> {
  /** The texts of the resource's chunks. */
  texts?: string[]
}

/** Returns a resource with the fields that the test specifies. */
export function resource({ texts = [], ...fields }: Fields): IndexedResource {
  return {
    workspace_id: randomUUID(),
    resource_id: randomUUID(),
    revision: 1n,
    kind: 'assets',
    slug: 'a-document',
    title: 'A document',
    path: '/',
    brain_id: null,
    version: 1,
    metadata: {},
    created_at: '2026-01-15T12:00:00.000Z',
    updated_at: '2026-01-15T12:00:00.000Z',
    formerParts: 0,
    ...fields,
    chunks: texts.map((text, ordinal) => ({ ordinal, text, heading: null, vector: embedText(text) })),
  }
}
