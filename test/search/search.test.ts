import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { resource, useSearch } from './search-fixture.ts'

const fixture = useSearch()

/** Creates a workspace with resources of one chunk each, titled with the first word of the text. */
async function workspaceWith(...texts: string[]): Promise<string> {
  const workspace_id = randomUUID()
  await fixture.put(...texts.map(text => resource({ workspace_id, title: text.split(' ')[0], texts: [text] })))
  return workspace_id
}

describe('words', () => {
  test.each([
    ['zurich', 'Branches in Zürich and Genève'],
    ['ZÜRICH', 'branches in zurich'],
    ['geneve', 'Branches in Zürich and Genève'],
    ['branch', 'Branches in Zürich'],
    ['connection', 'they are connected'],
    ['supplier', 'the supplier’s terms'],
    ["supplier's", 'terms of suppliers'],
    ['naive cafe', 'a naïve café'],
    ['wi-fi', 'the wi fi is down'],
    ['北京', '我在北京工作'],
    ['保険', '火災保険の請求書'],
    ['ﾎｹﾝ', '火災ホケンの請求書'],
    ['税', '消費税を払う'],
    ['계약서', '새로운 계약서를 보냅니다'],
    ['보험', '화재보험 청구'],
  ])('%s finds: %s', async (query, text) => {
    const workspace = await workspaceWith(text, 'Unrelated words of another kind')
    expect(await fixture.find(workspace, query, { mode: 'keyword' })).toHaveLength(1)
  })

  test.each([
    ['東京', '京都の東に住む'],
    ['保険', '健保と危険'],
    ['계약', '약속의 계절'],
  ])('that share only single characters with %s are not matches: %s', async (query, text) => {
    const workspace = await workspaceWith(text)
    expect(await fixture.find(workspace, query, { mode: 'keyword' })).toEqual([])
  })

  test('in the title count more than words in the text', async () => {
    const workspace_id = randomUUID()
    const text = 'A text about many things, that names the harvest once among other words'
    await fixture.put(
      resource({ workspace_id, title: 'Notes', texts: [text] }),
      resource({ workspace_id, title: 'Harvest', texts: [text.replace('harvest', 'weather')] }),
    )
    expect(await fixture.titles(workspace_id, 'harvest', { mode: 'keyword' })).toEqual(['Harvest', 'Notes'])
  })

  test('in the title that the slug and the text repeat do not count three times', async () => {
    const workspace_id = randomUUID()
    const repeated = { title: 'Quarry', slug: 'quarry', texts: ['Quarry: it rained for days and the barn was empty'] }
    await fixture.put(
      resource({ workspace_id, ...repeated }),
      resource({ workspace_id, title: 'Notes', texts: ['One lantern and another lantern hang in the quarry'] }),
    )
    expect(await fixture.titles(workspace_id, 'quarry lantern', { mode: 'keyword' })).toEqual(['Notes', 'Quarry'])
  })

  test('that are all function words find nothing in keyword mode, and the nearest resources in semantic mode', async () => {
    const workspace = await workspaceWith('Dogs: a dog and a puppy', 'Sailing on the sea')
    for (const query of ['the of and', 'to be or not to be']) {
      expect(await fixture.find(workspace, query, { mode: 'keyword' })).toEqual([])
      const [keyword, semantic] = [{ keyword: null }, { semantic: expect.any(Number) }]
      for (const mode of ['semantic', 'hybrid'] as const)
        expect(await fixture.find(workspace, query, { mode })).toMatchObject([
          { ranks: { ...keyword, ...semantic } },
          { ranks: { ...keyword, ...semantic } },
        ])
    }
  })

  test('among control characters are found, and a query that consists of control characters finds nothing', async () => {
    const workspace = await workspaceWith('Harvest report')
    expect(await fixture.find(workspace, '\u0000harvest\u0007\n', { mode: 'keyword' })).toHaveLength(1)
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const)
      expect(await fixture.find(workspace, '\u0000\u001F \u007F', { mode })).toEqual([])
  })

  test('are not interpreted as query syntax', async () => {
    const workspace = await workspaceWith('Harvest report')
    for (const query of [
      'title:harvest OR *',
      '{"match_all":{}}',
      'harvest" OR "1"="1',
      '+-&&||!(){}[]^"~*?:\\/',
      '<script>',
    ])
      expect((await fixture.find(workspace, query, { mode: 'keyword' })).length).toBeLessThanOrEqual(1)
    expect(await fixture.find(workspace, '* OR *', { mode: 'keyword' })).toEqual([])
  })

  test('can be as many as fit in a query of 10,000 characters', async () => {
    const workspace = await workspaceWith('Harvest report')
    const many = Array.from({ length: 2_500 }, (_, n) => (n + 1_000).toString(36)).join(' ')
    for (const query of [
      `harvest ${many}`,
      `harvest ${'字'.repeat(9_000)}`,
      `harvest ${'👍'.repeat(4_000)}`,
      'harvest '.repeat(1_250),
    ])
      expect(await fixture.find(workspace, query, { mode: 'keyword' })).toHaveLength(1)
  })

  test('of any kind return a result', async () => {
    const workspace = await workspaceWith('Harvest report')
    const answered = fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async query => {
      for (const { score } of await fixture.find(workspace, query)) expect(score).toBeGreaterThanOrEqual(0)
    })
    await fc.assert(answered, { numRuns: 50 })
  })
})

describe('modes', () => {
  test('keyword mode finds words, semantic mode finds meanings, and hybrid mode finds both', async () => {
    const workspace = await workspaceWith(
      'Puppy training for beginners',
      'Vehicle taxes and the dogma',
      'Ocean currents',
    )
    expect(await fixture.titles(workspace, 'hound', { mode: 'keyword' })).toEqual([])
    expect((await fixture.titles(workspace, 'hound', { mode: 'semantic' }))[0]).toBe('Puppy')
    const [first] = await fixture.find(workspace, 'hound taxes')
    const found = await fixture.find(workspace, 'hound taxes')
    expect(found.map(({ title }) => title)).toHaveLength(3)
    expect(first?.title).toBe('Puppy')
    expect(found.find(({ title }) => title === 'Vehicle')?.ranks.keyword).toBe(1)
  })

  test('return their scores on every page: the cosine or the reciprocal rank', async () => {
    const workspace = await workspaceWith('Puppy of a dog', 'Ocean and sea')
    const keyword = await fixture.find(workspace, 'puppy ocean', { mode: 'keyword' })
    expect(keyword).toMatchObject([
      { score: 1, ranks: { keyword: 1, semantic: null } },
      { score: 1 / 2, ranks: { keyword: 2, semantic: null } },
    ])
    const [semantic, other] = await fixture.find(workspace, 'dog puppy', { mode: 'semantic' })
    expect(semantic?.score).toBeCloseTo(1, 3)
    expect(other?.score).toBeCloseTo(0.25 / 4.25, 2)
    const [hybrid] = await fixture.find(workspace, 'puppy')
    expect(hybrid).toMatchObject({ title: 'Puppy', score: 1, ranks: { keyword: 1, semantic: 1 } })
    expect(await fixture.find(workspace, 'puppy', { offset: 1 })).toMatchObject([{ score: 1 / 2 }])
  })
})

test('a minimum score removes matches that are close only in meaning, and preserves the order', async () => {
  const workspace_id = await workspaceWith('Puppy and dog', 'Kitten of the house', 'Sailing on the sea')
  const all = await fixture.titles(workspace_id, 'puppy', { mode: 'semantic' })
  expect(all).toHaveLength(3)
  for (const mode of ['semantic', 'hybrid'] as const)
    expect(await fixture.titles(workspace_id, 'puppy', { mode, min_score: 0.95 })).toEqual(['Puppy'])
  expect(await fixture.titles(workspace_id, 'sailing', { mode: 'hybrid', min_score: 1 })).toContain('Sailing')
  const others = await workspaceWith('Kitten of the house', 'Sailing on the sea')
  expect(await fixture.titles(others, 'puppy', { mode: 'hybrid' })).toHaveLength(2)
  expect(await fixture.titles(others, 'puppy', { mode: 'hybrid', min_score: 0.9 })).toEqual([])
})

describe('a match', () => {
  test('identifies the resource and its location', async () => {
    const workspace_id = randomUUID()
    const head = { slug: 'fleet-plan', title: 'Fleet plan', path: '/plans', version: 7 }
    const texts = ['Introduction', 'Each vehicle is inspected in spring']
    const written = resource({ workspace_id, kind: 'artifacts', ...head, texts })
    if (written.chunks[1]) written.chunks[1].heading = 'Fleet plan › Inspections'
    await fixture.put(written)
    expect(await fixture.find(workspace_id, 'inspecting vehicle')).toEqual([
      {
        resource_id: written.resource_id,
        type: 'artifacts',
        ...head,
        metadata: {},
        chunk: {
          id: `${written.resource_id}:7:1`,
          ordinal: 1,
          heading: 'Fleet plan › Inspections',
          text: 'Each vehicle is inspected in spring',
          highlight: 'Each <mark>vehicle</mark> is <mark>inspected</mark> in spring',
        },
        score: 1,
        ranks: { keyword: 1, semantic: 1 },
      },
    ])
  })

  test.each(['keyword', 'semantic', 'hybrid'] as const)('of a %s search is safe to render as HTML', async mode => {
    const text = `<img src=x onerror="alert(1)"> the dog's </mark><script>/* & */</script> of Zürich`
    const workspace = await workspaceWith(text)
    const [match] = await fixture.find(workspace, 'dogs zurich', { mode })
    expect(match?.chunk?.text).toBe(text)
    const marked = match?.chunk?.highlight ?? ''
    expect(marked).toContain('<mark>Zürich</mark>')
    expect(marked).toContain('&lt;script&gt;')
    expect(marked.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>"']/)
  })

  test('by meaning alone contains the start of its chunk, also escaped', async () => {
    const workspace = await workspaceWith(`<b>Puppy</b> ${'and so on '.repeat(100)}`)
    const [match] = await fixture.find(workspace, 'hound')
    expect(match?.chunk?.highlight).toMatch(/^&lt;b&gt;Puppy&lt;&#x2F;b&gt; and so on .* …$/)
    expect(match?.chunk?.highlight.length).toBeLessThan(400)
  })

  test('contains the best matching chunk, at any position', async () => {
    const workspace_id = randomUUID()
    const filler = (n: number) => `Section ${n} says nothing of interest`
    const texts = Array.from({ length: 300 }, (_, n) => filler(n))
    texts[290] = 'The dog and the puppy are both insured'
    await fixture.put(
      resource({ workspace_id, title: 'Handbook', texts }),
      resource({ workspace_id, texts: ['A car'] }),
    )
    for (const [mode, query] of [
      ['keyword', 'insured'],
      ['semantic', 'hound'],
      ['hybrid', 'insured hound'],
    ] as const) {
      const [match] = await fixture.find(workspace_id, query, { mode })
      expect(match).toMatchObject({ title: 'Handbook', chunk: { ordinal: 290, text: texts[290] } })
    }
  })

  test('contains the chunk with the words if they rank it higher than its meaning does', async () => {
    const workspace_id = randomUUID()
    const texts = ['About a puppy and a dog', 'The number is KX-4711']
    await fixture.put(
      resource({ workspace_id, title: 'Ticket', texts }),
      resource({ workspace_id, title: 'Kennel', texts: ['a dog, a puppy, a hound'] }),
    )
    const [byWords] = await fixture.find(workspace_id, 'dog, puppy, hound: KX-4711')
    expect(byWords).toMatchObject({ title: 'Ticket', ranks: { keyword: 1, semantic: 2 }, chunk: { ordinal: 1 } })
    const [, byMeaning] = await fixture.find(workspace_id, 'hound, hound, hound')
    expect(byMeaning).toMatchObject({ title: 'Ticket', chunk: { ordinal: 0 } })
  })

  test('by title alone contains the start of its text', async () => {
    const workspace_id = randomUUID()
    await fixture.put(resource({ workspace_id, title: 'Harvest', texts: ['It was a good year', 'And a long one'] }))
    for (const mode of ['keyword', 'hybrid'] as const)
      expect(await fixture.find(workspace_id, 'harvest', { mode })).toMatchObject([
        { title: 'Harvest', chunk: { ordinal: 0, highlight: 'It was a good year' } },
      ])
  })

  test('by words in one part and by meaning in another counts as one match', async () => {
    const workspace_id = randomUUID()
    const texts = Array.from({ length: 200 }, (_, n) => `Section ${n}`)
    texts[3] = 'The premium'
    texts[150] = 'A puppy'
    await fixture.put(resource({ workspace_id, title: 'Handbook', texts }))
    expect(await fixture.find(workspace_id, 'premium hound')).toMatchObject([{ ranks: { keyword: 1, semantic: 1 } }])
  })
})

describe('a page', () => {
  test('is cut from the same order for any page size, and is empty past the end', async () => {
    const workspace_id = randomUUID()
    const words = ['dog', 'car', 'sea', 'music', 'money', 'report', 'plan', 'draft']
    const texts = Array.from({ length: 40 }, (_, n) => words.filter((_, bit) => (n >> (bit % 6)) & 1).join(' '))
    await fixture.put(...texts.map((text, n) => resource({ workspace_id, title: `${n}`, texts: [text || 'nothing'] })))
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
      const titles = (limit: number, offset: number) =>
        fixture.titles(workspace_id, 'a dog in a car: report', { mode, limit, offset })
      const whole = await titles(200, 0)
      expect(whole.length).toBeGreaterThan(20)
      const pages = [await titles(7, 0), await titles(7, 7), await titles(100, 14)].flat()
      expect(pages).toEqual(whole)
      expect(await titles(10, whole.length)).toEqual([])
      expect(await titles(10, 1_000_000)).toEqual([])
    }
  })

  test('contains at most the matches of both arms, and a resource with many parts hides no others', async () => {
    const workspace_id = randomUUID()
    const long = Array.from({ length: 150 * 128 }, () => 'dog')
    const others = Array.from({ length: 120 }, (_, n) =>
      resource({ workspace_id, title: `${n}`, texts: ['a dog and a car'] }),
    )
    await fixture.put(resource({ workspace_id, title: 'long', texts: long }), ...others)
    for (const mode of ['keyword', 'semantic'] as const)
      expect(await fixture.find(workspace_id, 'dog', { mode, limit: 200 })).toHaveLength(100)
    const hybrid = await fixture.titles(workspace_id, 'dog', { limit: 200 })
    expect(hybrid).toContain('long')
    expect(new Set(hybrid).size).toBe(hybrid.length)
  })
})
