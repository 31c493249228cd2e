import { randomBytes } from 'node:crypto'
import { Conflict, Unavailable } from '../../domain/shared/errors.ts'
import { openSearch, type Search } from '../../search/search.ts'
import { conceptEmbedder, DIMENSIONS } from './concepts.ts'
import { dropAll, elasticsearchUrl, READ_TIMEOUT_MS, resource } from './search-fixture.ts'

const opened: Search[] = []

/** Opens a search with a separate prefix and without an index. */
function emptySearch(embedder = conceptEmbedder, prefix = `test-${randomBytes(6).toString('hex')}`): Search {
  const search = openSearch({ url: elasticsearchUrl(), prefix, readTimeoutMs: READ_TIMEOUT_MS, embedder })
  opened.push(search)
  return search
}

afterEach(async () => {
  for (const search of opened.splice(0)) {
    await dropAll(search)
    await search.close()
  }
})

const HELLO = { workspace_id: 'w', brain_ids: null, query: 'hello', mode: 'keyword' as const, limit: 10, offset: 0 }
const hello = (fields: object = {}) => resource({ workspace_id: 'w', title: 'Hello', ...fields })

describe('the index', () => {
  test('is created if none exists, once for any number of processes', async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const processes = Array.from({ length: 5 }, () => emptySearch(conceptEmbedder, prefix))
    const states = await Promise.all(processes.map(each => each.ensure()))
    expect(states).toEqual(processes.map(() => ({ state: 'ready', name: expect.any(String) })))
    const found = await processes[0]?.listIndices()
    expect(found).toEqual([
      expect.objectContaining({
        live: true,
        built_with: { model: 'test:concepts', dimensions: DIMENSIONS, schema: 2 },
      }),
    ])
    expect(found?.[0]?.name).toMatch(new RegExp(`^${prefix}-resources-\\d{14}-\\d+$`))
  })

  test('for another model is left unchanged, and the error lists both models', async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    await emptySearch(conceptEmbedder, prefix).ensure()
    const other = emptySearch({ ...conceptEmbedder, model: 'test:other', dimensions: 8 }, prefix)
    expect(await other.ensure()).toEqual({
      state: 'mismatch',
      built_with: { model: 'test:concepts', dimensions: DIMENSIONS, schema: 2 },
      configured: { model: 'test:other', dimensions: 8, schema: 2 },
    })
    expect(await other.listIndices()).toHaveLength(1)
  })

  test('that does not exist cannot be searched or written to, and attempts do not create it', async () => {
    const search = emptySearch()
    await expect(search.search(HELLO)).rejects.toThrow(Unavailable)
    expect(await search.write([{ put: hello() }])).toMatchObject([
      { ok: false, retry: true, reason: expect.stringContaining('index_not_found') },
    ])
    const remove = { resource_id: 'r', revision: 1n, formerParts: 1 }
    await expect(search.write([{ remove }])).rejects.toThrow(Unavailable)
    expect(await search.ensure()).toMatchObject({ state: 'ready' })
  })
})

describe('a rebuild', () => {
  test('is not visible to searches until it replaces the live index', async () => {
    const search = emptySearch()
    await search.ensure()
    const former = await search.live()
    const target = await search.createTarget()
    await search.write([{ put: hello({ title: 'Hello anew' }) }], { target })
    expect((await search.search(HELLO)).matches).toEqual([])
    await search.swapAlias(former, target)
    expect((await search.search(HELLO)).matches).toEqual([expect.objectContaining({ title: 'Hello anew' })])
    expect(await search.live()).toBe(target)
    expect((await search.listIndices()).map(({ name, live }) => [name, live])).toEqual([
      [former, false],
      [target, true],
    ])
  })

  test('accepts live writes after the swap, and returns them without a notification', async () => {
    const search = emptySearch()
    await search.ensure()
    const target = await search.createTarget()
    await search.swapAlias(await search.live(), target)
    await search.write([{ put: hello() }])
    await search.refresh()
    expect((await search.search(HELLO)).matches).toHaveLength(1)
  })

  test('stops if another rebuild was faster', async () => {
    const search = emptySearch()
    await search.ensure()
    const former = await search.live()
    const [first, second] = [await search.createTarget(), await search.createTarget()]
    await search.swapAlias(former, first)
    await expect(search.swapAlias(former, second)).rejects.toThrow(Conflict)
    expect(await search.live()).toBe(first)
  })

  test('that was abandoned accepts no more writes, and the writes create no index', async () => {
    const search = emptySearch()
    const target = await search.createTarget()
    await search.dropIndex(target)
    await search.dropIndex(target)
    const [written] = await search.write([{ put: hello() }], { target })
    expect(written).toMatchObject({ ok: false, retry: true })
    expect(await search.listIndices()).toEqual([])
  })

  test('causes no search to fail, even when the index is replaced and dropped repeatedly', async () => {
    const search = emptySearch()
    await search.ensure()
    const resources = Array.from({ length: 20 }, (_, n) => ({ put: hello({ texts: [`hello, dog number ${n}`] }) }))
    await search.write(resources)
    await search.refresh()
    const stop = new AbortController()
    const lookUntilStopped = async (mode: 'keyword' | 'semantic' | 'hybrid') => {
      const counts = new Set<number>()
      while (!stop.signal.aborted) counts.add((await search.search({ ...HELLO, mode, limit: 20 })).matches.length)
      return counts
    }
    const rebuildRepeatedly = async () => {
      for (let round = 0; round < 10; round++) {
        const [former, target] = [await search.live(), await search.createTarget()]
        await search.write(resources, { target })
        await search.swapAlias(former, target)
        await search.dropIndex(former ?? '')
      }
    }
    const looking = (['keyword', 'semantic', 'hybrid'] as const).flatMap(mode => [
      lookUntilStopped(mode),
      lookUntilStopped(mode),
    ])
    const [counts] = await Promise.all([Promise.all(looking), rebuildRepeatedly().finally(() => stop.abort())])
    for (const each of counts) expect([...each]).toEqual([20])
  })
})
