import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { execute } from '../../../data/shared/statements.ts'
import { readBacklog } from '../../../data/shared/backlog-store.ts'
import { findChunks, replaceChunks } from '../../../data/search/text-chunks-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createIndexing } from '../../../services/search/indexing/indexing.ts'
import { createSearchService } from '../../../services/search/search.ts'
import { createSearchFixture, type SearchFixture } from '../../support/search/search.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { boundTo, createPrincipal } from '../../support/shared/workspace.ts'

let fixture: SearchFixture
beforeAll(async () => {
  fixture = await createSearchFixture()
})
afterAll(() => fixture?.close())

/** An embedding that carries no meaning. */
const instant = async (texts: string[]) => texts.map(() => Float32Array.from({ length: 384 }, (_, i) => (i ? 0 : 1)))
const never = new AbortController().signal
const skill = (title: string, instructions: string, more: object = {}) =>
  fixture.resources.create(fixture.ann, 'skills', { title, document: { instructions }, ...more })
const titles = async (...given: Parameters<SearchFixture['find']>) =>
  (await fixture.find(...given)).map(match => match.title)
const count = (table: string, where = 'true') =>
  fixture.database.db.inWorkspace(fixture.ann.workspace_id, tx => execute(tx, `select from ${table} where ${where}`))

test('a new resource can be found by its words and by its meaning, with the matching passage', async () => {
  const made = await skill('Zebra crossing', 'The sacred waterfall is behind the northern lighthouse.')
  await skill('Unrelated', 'Quarterly tax returns are filed in March.')
  await fixture.drain()
  const [first] = await fixture.find('waterfall lighthouse')
  expect(first).toMatchObject({
    resource_id: made.id,
    type: 'skills',
    version: 1,
    chunk: { text: expect.stringContaining('waterfall'), highlight: expect.stringContaining('<mark>waterfall</mark>') },
    ranks: { keyword: 1, semantic: 1 },
  })
  expect((await titles('cascade of falling river', { mode: 'semantic' }))[0]).toBe('Zebra crossing')
  expect(await titles('zebra', { mode: 'keyword' })).toEqual(['Zebra crossing'])
})

test('a search sees only the head, while earlier versions keep their passages', async () => {
  const made = await skill('Changing', 'It speaks of porcupines.')
  for (const animal of ['herons', 'storks', 'flamingos']) {
    const document = { instructions: `It speaks of ${animal} now.` }
    await fixture.resources.patch(fixture.ann, 'skills', made.id, { merge: { document } })
  }
  await fixture.drain()
  expect(await fixture.find('flamingos', { mode: 'keyword' })).toMatchObject([{ resource_id: made.id, version: 4 }])
  expect(await titles('porcupines herons storks', { mode: 'keyword' })).toEqual([])
  for (const [i, animal] of ['porcupines', 'herons', 'storks', 'flamingos'].entries())
    expect(
      await count('text_chunks', `resource_id = '${made.id}' and version = ${i + 1} and text like '%${animal}%'`),
    ).toBe(1)
})

test('a deleted resource cannot be found, and a restored one is found without a new embedding', async () => {
  const made = await skill('Coming and going', 'A story about a badger in the bakery.')
  await fixture.drain()
  const vectors = await count('chunk_vectors')
  await fixture.resources.remove(fixture.ann, 'skills', made.id)
  await fixture.drain()
  expect(await titles('badger bakery', { mode: 'keyword' })).toEqual([])
  await fixture.resources.restore(fixture.ann, 'skills', made.id)
  await fixture.drain()
  expect(await titles('badger bakery', { mode: 'keyword' })).toEqual(['Coming and going'])
  await fixture.resources.patch(fixture.ann, 'skills', made.id, { merge: { path: '/zoo/animals' } })
  await fixture.drain()
  expect(await titles('badger', { filters: { path_prefix: '/zoo' } })).toEqual(['Coming and going'])
  expect(await count('chunk_vectors')).toBe(vectors)
})

test('a long text that becomes short leaves no old passages', async () => {
  const paragraph = (n: number) => `Paragraph ${n} tells of the marmalade factory and its ${n} chimneys. `.repeat(6)
  const long = Array.from({ length: 80 }, (_, n) => paragraph(n)).join('\n\n')
  const made = await skill('Shrinking', `${long}\n\nAt the very end sits an axolotl.`)
  await fixture.drain()
  expect(await titles('axolotl', { mode: 'keyword' })).toEqual(['Shrinking'])
  await fixture.resources.patch(fixture.ann, 'skills', made.id, { merge: { document: { instructions: 'Short.' } } })
  await fixture.drain()
  expect(await titles('axolotl', { mode: 'keyword' })).toEqual([])
  expect(await titles('marmalade chimneys', { mode: 'keyword' })).toEqual([])
})

test('small resources do not wait for large ones', async () => {
  const paragraph = (n: number) =>
    `Section ${n} of the cathedral was built by ${n} masons over ${n} winters. `.repeat(8)
  await skill('The cathedral', Array.from({ length: 80 }, (_, n) => paragraph(n)).join('\n\n'))
  const over = new AbortController()
  const running = fixture.indexing.run(over.signal)
  await skill('Small one', 'The hedgehog crosses the road.')
  await waitUntil(async () => (await titles('hedgehog', { mode: 'keyword' })).includes('Small one'))
  expect(await titles('cathedral masons', { mode: 'keyword' })).toEqual([])
  await waitUntil(async () => (await titles('cathedral masons', { mode: 'keyword' })).length > 0)
  over.abort()
  await running
})

test('a slow write of a long text leaves no passages if a short text overtakes it', async () => {
  const long = Array.from({ length: 700 }, (_, n) => `The windmill number ${n} stands in the polder. `.repeat(6)).join(
    '\n\n',
  )
  const made = await skill('Overtaken', long)
  const { db } = fixture.database
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const held = { ...fixture.index }
  held.write = async (...given: Parameters<typeof fixture.index.write>) => {
    reached.resolve()
    await gate.promise
    return fixture.index.write(...given)
  }
  const embedder = {
    ...fixture.embedder,
    model: 'test:instant',
    embed: instant,
    chunk: (text: string) => fixture.embedder.chunk(text),
  }
  const quiet = pino({ level: 'silent' })
  const slow = createIndexing({ db, search: held, embedder, log: quiet })
  const quick = createIndexing({ db, search: fixture.index, embedder, log: quiet })
  const slowly = (async () => {
    while ((await slow.drain(never)) > 0);
  })()
  await reached.promise
  await fixture.resources.patch(fixture.ann, 'skills', made.id, { merge: { document: { instructions: 'Short.' } } })
  while ((await quick.drain(never)) > 0);
  gate.resolve()
  await slowly
  await fixture.drain()
  expect(await titles('windmill polder', { mode: 'keyword' })).toEqual([])
  expect(await titles('overtaken', { mode: 'keyword' })).toEqual(['Overtaken'])
})

test('resources of every kind are found by the content of their documents', async () => {
  const definition = {
    schema: 'pathway/1',
    nodes: [{ id: 'ask', type: 'neuron', title: 'Weigh the walrus', with: { message: 'How heavy?' } }],
    edges: [],
  }
  const http = { method: 'GET', path: '/walrus', server: 'https://api.test' } as const
  const documents = {
    neurons: { instructions: 'You answer questions about the walrus.' },
    pathways: { definition },
    receptors: { target: { type: 'neuron', ref: 'of-neurons' }, greeting: 'Ask me about the walrus' },
    reflexes: { source: 'openapi', tools: [{ name: 'walrus_lookup', description: 'Finds a walrus', http }] },
    skills: { instructions: 'Feed the walrus.' },
    triggers: {
      target: { type: 'neuron', ref: 'of-neurons' },
      input: { message: 'Good morning' },
      description: 'When the walrus wakes',
    },
    meetings: { transcript: [{ seq: 1, speaker: 'Ann', text: 'The walrus was late.' }] },
  } as const
  const snapshot = { stakeholders: [{ id: 'w', name: 'Wally', role: 'Walrus keeper' }] }
  await fixture.resources.create(fixture.ann, 'stakeholder_maps', { title: 'Of stakeholder_maps', snapshot })
  for (const [kind, document] of Object.entries(documents))
    await fixture.resources.create(fixture.ann, kind as keyof typeof documents, { title: `Of ${kind}`, document })
  await fixture.drain()
  const found = await fixture.find('walrus', { mode: 'keyword' })
  expect(found.map(({ type }) => type).toSorted()).toEqual([...Object.keys(documents), 'stakeholder_maps'].toSorted())
  expect((await fixture.find('walrus', { types: ['meetings'] })).map(({ type }) => type)).toEqual(['meetings'])
})

test('a search finds no resources in other workspaces', async () => {
  const text = 'The recipe of the secret cucumber soup.'
  await skill('Soup', text, { brain_id: fixture.ann.first_brain })
  await fixture.drain()
  const stranger = await createPrincipal(fixture.database.db)
  const bound = boundTo(fixture.ann, stranger.first_brain)
  for (const mode of ['hybrid', 'keyword', 'semantic'] as const) {
    expect(await titles(text, { mode, limit: 5 })).toContain('Soup')
    expect(await titles(text, { mode }, stranger)).toEqual([])
    expect(await titles(text, { mode }, bound)).not.toContain('Soup')
  }
})

test('a workspace with a large backlog does not delay another workspace', async () => {
  const stranger = await createPrincipal(fixture.database.db)
  const document = { instructions: 'About the quokka.' }
  const create = (owner: Principal, title: string) => fixture.resources.create(owner, 'skills', { title, document })
  for (let n = 0; n < 70; n++) await create(fixture.ann, `Quokka ${n}`)
  await create(stranger, 'Quokka of another')
  await fixture.indexing.drain(never)
  expect(await count('search_outbox')).toBe(7)
  // While more entries wait, the index shows each write within seconds.
  await waitUntil(async () => (await titles('quokka', { mode: 'keyword' }, stranger)).length === 1)
  await fixture.drain()
})

test('several indexers share the work, and no entry is lost', async () => {
  const names = Array.from({ length: 150 }, (_, n) => `Shared ${n}`)
  for (const name of names) await skill(name, `A note about ${name} and the giraffe.`)
  const { db } = fixture.database
  const another = createIndexing({
    db,
    search: fixture.index,
    embedder: fixture.embedder,
    log: pino({ level: 'silent' }),
  })
  await Promise.all([
    fixture.indexing.drain(never),
    another.drain(never),
    fixture.indexing.drain(never),
    another.drain(never),
  ])
  await fixture.drain()
  expect(new Set(await titles('giraffe', { mode: 'keyword', limit: 200 })).size).toBe(100)
  expect(await count('search_outbox')).toBe(0)
  expect(
    await count(
      'search_state state join resources head on head.id = state.resource_id',
      'state.revision < head.revision',
    ),
  ).toBe(0)
})

test('while Elasticsearch is unavailable, writes continue and searches report the outage, and afterwards everything is found', async () => {
  const away = fixture.openIndex({ url: 'http://127.0.0.1:9' })
  const { db } = fixture.database
  const cut = createIndexing(
    { db, search: away, embedder: fixture.embedder, log: pino({ level: 'silent' }) },
    { retryMs: 100 },
  )
  await skill('Written meanwhile', 'The okapi hides in the attic.')
  await expect(cut.drain(never)).rejects.toThrow(Unavailable)
  await expect(
    createSearchService(fixture.database.db, away).search(fixture.ann, {
      query: 'okapi',
      mode: 'keyword',
      limit: 1,
      offset: 0,
    }),
  ).rejects.toThrow(Unavailable)
  await sleep(150)
  await fixture.drain()
  expect(await titles('okapi', { mode: 'keyword' })).toEqual(['Written meanwhile'])
})

test('if several indexers split a text at the same time, the passages of one of them are kept', async () => {
  const { id } = await skill('Cut by several', 'A marmot on the meadow.')
  const cut = (...texts: string[]) =>
    fixture.database.db.inWorkspace(fixture.ann.workspace_id, tx =>
      replaceChunks(
        tx,
        { resource_id: id, version: 1 },
        texts.map((text, ordinal) => ({ ordinal, start: 0, end: text.length, heading: null, text, sha256: text })),
      ),
    )
  await Promise.all([cut('one'), cut('two', 'two'), cut('three', 'three', 'three'), cut('one')])
  const chunks = await fixture.database.db.inWorkspace(fixture.ann.workspace_id, tx =>
    findChunks(tx, { resource_id: id, version: 1 }),
  )
  const texts = chunks.map(({ text }) => text)
  expect([['one'], ['two', 'two'], ['three', 'three', 'three']]).toContainEqual(texts)
})

test('a rebuild replaces the index while people write and search', async () => {
  await skill('Before the rebuild', 'A pelican on the pier.')
  await fixture.drain()
  const former = await fixture.index.live()
  const over = new AbortController()
  const failures: unknown[] = []
  const searching = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const mode = (['keyword', 'semantic', 'hybrid'] as const)[n % 3]
      const found = await titles('pelican', { mode }).catch((error: unknown) => {
        // On a busy machine, a search may exceed its time limit.
        if (!/TimeoutError|timed out/.test(`${(error as Error).message} ${String((error as Error).cause)}`))
          failures.push((error as Error).cause ?? error)
      })
      if (Array.isArray(found) && !found.includes('Before the rebuild')) failures.push('it was not found')
    }
  })()
  const writing = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      await skill(`During ${n}`, `A toucan, number ${n}.`)
      await fixture.indexing.drain(never)
      await sleep(20)
    }
    return fixture.resources.list(fixture.ann, 'skills', { limit: 1, offset: 0 })
  })()
  const rebuilt = await fixture.indexing.rebuild(never)
  over.abort()
  await Promise.all([searching, writing])
  expect(failures).toEqual([])
  expect(await fixture.index.live()).toBe(rebuilt.index)
  expect((await fixture.index.listIndices()).map(({ name }) => name)).toEqual([rebuilt.index])
  expect(rebuilt.index).not.toBe(former)
  // A write that coincides with the swap is retried after a few seconds.
  await waitUntil(async () => {
    await fixture.drain()
    return (await count('search_outbox')) === 0
  })
  const total = await fixture.database.db.inWorkspace(fixture.ann.workspace_id, tx =>
    execute(tx, `select from resources where title like 'During %' limit 100`),
  )
  expect(await titles('toucan', { mode: 'keyword', limit: 200 })).toHaveLength(total)
})

test('a rebuild waits for uncommitted changes', async () => {
  const { id } = await skill('Before the change', 'A bittern in the reeds.')
  await fixture.drain()
  const [changed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const change = fixture.database.db.inWorkspace(fixture.ann.workspace_id, async tx => {
    await execute(tx, `update resources set title = 'After the change' where id = $1`, [id])
    changed.resolve()
    await commit.promise
  })
  await changed.promise
  const rebuilt = fixture.indexing.rebuild(never)
  const isWaiting = async () => (await count('pg_locks', `not granted and relation = 'resources'::regclass`)) === 1
  await waitUntil(isWaiting).finally(commit.resolve)
  await Promise.all([change, rebuilt])
  expect(await titles('bittern', { mode: 'keyword' })).toEqual(['After the change'])
  await fixture.drain()
})

test('another model is detected and reported, and keyword search still works', async () => {
  await skill('Known', 'The heron stands still.')
  await fixture.drain()
  const other = { ...fixture.embedder, model: 'acme:other', dimensions: 8 }
  const index = fixture.openIndex({ embedder: other })
  const search = createSearchService(fixture.database.db, index)
  const request = { query: 'heron', limit: 5, offset: 0 }
  const named = new RegExp(`${fixture.embedder.model.replaceAll(/[^\w]/g, '.')}.*acme:other.*reindex`)
  await expect(search.search(fixture.ann, { ...request, mode: 'hybrid' })).rejects.toThrow(named)
  expect((await search.search(fixture.ann, { ...request, mode: 'keyword' })).matches).toMatchObject([
    { title: 'Known' },
  ])
})

test('a process with an earlier model indexes nothing after the index has been rebuilt', async () => {
  const { db } = fixture.database
  const quiet = pino({ level: 'silent' })
  const embedder = { ...fixture.embedder, model: 'test:next', embed: instant }
  const search = fixture.openIndex({ embedder })
  const next = createIndexing({ db, search, embedder, log: quiet })
  await fixture.drain()
  await next.rebuild(never)
  await skill('After the change', 'The bittern booms in the reeds.')
  await expect(fixture.drain()).rejects.toThrow(/ganglion-admin reindex/)
  await expect(fixture.find('bittern')).rejects.toThrow(/test:next.*ganglion-admin reindex/)
  await waitUntil(async () => (await next.drain(never)) > 0)
  await search.refresh()
  expect(await titles('bittern booms', { mode: 'keyword' })).toContain('After the change')
  await fixture.indexing.rebuild(never)
  expect(await titles('bittern booms')).toContain('After the change')
})

test('a resource that the index rejects stays due and is counted, and does not block others', async () => {
  const { db } = fixture.database
  await fixture.drain()
  const reasons = new Map<string, string>()
  const picky = {
    ...fixture.index,
    write: async (...[changes, options]: Parameters<typeof fixture.index.write>) => {
      const isRefused = (change: (typeof changes)[number]) => 'put' in change && reasons.has(change.put.title)
      const written = await fixture.index.write(
        changes.filter(change => !isRefused(change)),
        options,
      )
      return changes.map(change =>
        isRefused(change)
          ? { ok: false as const, retry: false, reason: 'mapper_parsing_exception' }
          : (written.shift() as (typeof written)[number]),
      )
    },
  }
  const failing = {
    ...fixture.embedder,
    embed: async (...[texts, options]: Parameters<typeof fixture.embedder.embed>) => {
      if (texts.some(text => text.includes('unspeakable'))) throw new Error('the model refuses this text')
      return fixture.embedder.embed(texts, options)
    },
  }
  const indexing = createIndexing({ db, search: picky, embedder: failing, log: pino({ level: 'silent' }) })
  reasons.set('Refused', 'by the index')
  const refused = await skill('Refused', 'The egret is refused.')
  await skill('Not embedded', 'The unspeakable egret.')
  await skill('Neighbor', 'The egret stands next to them.')
  expect(await indexing.drain(never)).toBe(3)
  await fixture.index.refresh()
  expect(await titles('egret', { mode: 'keyword' })).toEqual(['Neighbor'])
  expect(await fixture.search.countFailures(fixture.ann)).toBe(2)
  expect(await db.system(readBacklog)).toMatchObject({
    index_failures: { total: 2 },
    index_entries: { total: 0, oldestSeconds: 0 },
  })
  await db.inWorkspace(fixture.ann.workspace_id, tx => execute(tx, 'update search_outbox set due_at = now()'))
  await fixture.drain()
  expect(await titles('egret', { mode: 'keyword' })).toHaveLength(3)
  expect(await fixture.search.countFailures(fixture.ann)).toBe(0)

  expect(
    await createIndexing({ db, search: picky, embedder: fixture.embedder, log: pino({ level: 'silent' }) }).rebuild(
      never,
    ),
  ).toMatchObject({
    refused: 1,
  })
  expect(await count('search_outbox', `resource_id = '${refused.id}'`)).toBe(1)
  await fixture.drain()
  expect(await titles('egret', { mode: 'keyword' })).toHaveLength(3)
})

describe('the versions of a map', () => {
  const findVersions = (query: string, more: object = {}, principal?: Parameters<typeof fixture.find>[2]) =>
    fixture.find(query, { mode: 'keyword', versions: 'all', ...more }, principal)
  const listVersions = (matches: Awaited<ReturnType<typeof findVersions>>) =>
    matches.map(({ version, last_version }) => [version, last_version]).toSorted((a, b) => a[0]! - b[0]!)
  const person = (id: string, notes: string) => ({ id, name: `Person ${id}`, notes })

  test('are all searched, each text once, and a match contains its version', async () => {
    const snapshot = { stakeholders: [person('a', 'Keeps an axolotl.'), person('b', 'Owns a bandicoot.')] }
    const made = await fixture.resources.create(fixture.ann, 'stakeholder_maps', { title: 'Zoo', snapshot })
    const patch = (delta: object) =>
      fixture.resources.patch(fixture.ann, 'stakeholder_maps', made.id, { delta: delta as never })
    await patch({ stakeholders: { update: [{ id: 'a', notes: 'Sold the salamander.' }] } })
    await fixture.drain()
    await patch({ stakeholders: { update: [{ id: 'a', notes: 'Keeps an axolotl.' }] } })
    await fixture.drain()
    expect(listVersions(await findVersions('axolotl'))).toEqual([
      [1, 1],
      [3, null],
    ])
    expect(listVersions(await findVersions('salamander'))).toEqual([[2, 2]])
    expect(listVersions(await findVersions('bandicoot'))).toEqual([[1, null]])
    expect(listVersions(await findVersions('bandicoot', { versions: 2 }))).toEqual([[2, null]])
    expect(listVersions(await findVersions('salamander', { versions: 2, mode: 'hybrid' }))).toContainEqual([2, 2])
    expect(await findVersions('salamander', { versions: 3 })).toEqual([])
    expect(await findVersions('bandicoot', { versions: 4 })).toEqual([])
    expect(await fixture.find('salamander', { mode: 'keyword' })).toEqual([])
    expect((await findVersions('salamander'))[0]?.chunk?.text).toContain('Sold the salamander.')
    await expect(findVersions('axolotl', { types: ['skills'] })).rejects.toMatchObject({
      details: [{ pointer: '/types/0' }],
    })

    // A move keeps the matches and reports them under the new folder.
    await fixture.resources.patch(fixture.ann, 'stakeholder_maps', made.id, { delta: {}, path: '/zoo' })
    await fixture.drain()
    expect((await findVersions('salamander', { filters: { path_prefix: '/zoo' } }))[0]).toMatchObject({ path: '/zoo' })

    await fixture.indexing.rebuild(never)
    await fixture.drain()
    expect(listVersions(await findVersions('axolotl'))).toEqual([
      [1, 1],
      [3, null],
    ])
    expect(await fixture.index.versions.listIndices()).toHaveLength(1)

    const stranger = await createPrincipal(fixture.database.db)
    expect(await findVersions('salamander', {}, stranger)).toEqual([])
    await fixture.resources.remove(fixture.ann, 'stakeholder_maps', made.id)
    expect(await findVersions('salamander')).toEqual([])
    await fixture.drain()
    expect(await findVersions('salamander')).toEqual([])
    await fixture.resources.restore(fixture.ann, 'stakeholder_maps', made.id)
    await fixture.drain()
    expect(listVersions(await findVersions('salamander'))).toEqual([[2, 2]])
  })

  test('keep a text for as long as it was unchanged, even if the text was indexed several times', async () => {
    const snapshot = { stakeholders: [person('a', 'Keeps a quokka.'), person('b', 'Owns a numbat.')] }
    const made = await fixture.resources.create(fixture.ann, 'stakeholder_maps', { title: 'Park', snapshot })
    const changes = [
      ['b', 'Owns a wombat.'],
      ['b', 'Owns a dingo.'],
      ['a', 'Keeps a platypus.'],
      ['a', 'Keeps a quokka.'],
      ['b', 'Owns an emu.'],
      ['a', 'Keeps nothing.'],
    ]
    await fixture.drain()
    for (const [id, notes] of changes) {
      const delta = { stakeholders: { update: [{ id, notes }] } }
      await fixture.resources.patch(fixture.ann, 'stakeholder_maps', made.id, { delta: delta as never })
      await fixture.drain()
    }
    expect(listVersions(await findVersions('quokka'))).toEqual([
      [1, 3],
      [5, 6],
    ])
  })

  test('of large maps are queued with large resources from the start', async () => {
    const stakeholders = Array.from({ length: 500 }, (_, n) => person(`p${n}`, `Knows ${randomUUID()}.`))
    const snapshot = { stakeholders }
    const { id } = await fixture.resources.create(fixture.ann, 'stakeholder_maps', { title: 'Crowd', snapshot })
    expect(await count('search_outbox', `resource_id = '${id}' and is_large`)).toBe(1)
    await fixture.resources.remove(fixture.ann, 'stakeholder_maps', id)
    await fixture.drain()
  })
})
