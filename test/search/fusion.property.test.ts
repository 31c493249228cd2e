import * as fc from 'fast-check'
import { type Candidate, fuse, type RetrievedList } from '../../search/fusion.ts'

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 30 })

/** Builds a list as a search arm returns it: distinct ids, best first. */
const buildList = (score: fc.Arbitrary<number>): fc.Arbitrary<Candidate[]> =>
  fc.tuple(ids, fc.array(score, { minLength: 30, maxLength: 30 })).map(([names, scores]) => {
    const sorted = scores.toSorted((a, b) => b - a)
    return names.map((id, i) => ({ id, score: sorted[i] ?? 0 }))
  })

const bm25 = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 60, noNaN: true }))
const keywordArm: fc.Arbitrary<RetrievedList> = fc.record({ candidates: buildList(bm25), isComplete: fc.boolean() })
const semanticArm = buildList(fc.double({ min: -1, max: 1, noNaN: true }))
const arms = fc.record({ keyword: keywordArm, semantic: semanticArm })

const list = (...candidates: [string, number][]): Candidate[] => candidates.map(([id, score]) => ({ id, score }))
const all = (...candidates: [string, number][]): RetrievedList => ({
  candidates: list(...candidates),
  isComplete: true,
})
const cut = (...candidates: [string, number][]): RetrievedList => ({
  candidates: list(...candidates),
  isComplete: false,
})
const placesOf = (fused: { id: string }[]) => new Map(fused.map(({ id }, place) => [id, place]))
const orderOf = (fused: { id: string }[]) => fused.map(({ id }) => id)

describe('any two lists', () => {
  test('return each id once, ordered by scores from 0 to 1', () => {
    const once = fc.property(arms, ({ keyword, semantic }) => {
      const fused = fuse({ keyword, semantic })
      const given = new Set([...keyword.candidates, ...semantic].map(({ id }) => id))
      expect(orderOf(fused).toSorted()).toEqual([...given].toSorted())
      const scores = fused.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      for (const score of scores) expect(score >= 0 && score <= 1 + 1e-9).toBe(true)
    })
    fc.assert(once)
  })

  test('return the ranks of each id in both lists', () => {
    const placed = fc.property(arms, ({ keyword, semantic }) => {
      const rankIn = (candidates: Candidate[], id: string) => candidates.findIndex(each => each.id === id) + 1 || null
      for (const { id, ranks } of fuse({ keyword, semantic }))
        expect(ranks).toEqual({ keyword: rankIn(keyword.candidates, id), semantic: rankIn(semantic, id) })
    })
    fc.assert(placed)
  })

  test('rank no id below another that it beats in both lists', () => {
    const monotone = fc.property(arms, ({ keyword, semantic }) => {
      const places = placesOf(fuse({ keyword, semantic }))
      const [words, meaning] = [placesOf(keyword.candidates), placesOf(semantic)]
      const both = [...words.keys()].filter(id => meaning.has(id))
      const at = (of: Map<string, number>, id: string) => of.get(id) ?? Number.NaN
      for (const one of both)
        for (const other of both)
          if (at(words, one) < at(words, other) && at(meaning, one) < at(meaning, other))
            expect(at(places, one)).toBeLessThan(at(places, other))
    })
    fc.assert(monotone)
  })

  test('have the same order, however the scores of each list are scaled', () => {
    const scaled = fc.property(arms, fc.constantFrom(0.25, 4, 64), ({ keyword, semantic }, factor) => {
      const candidates = keyword.candidates.map(({ id, score }) => ({ id, score: score * factor }))
      expect(orderOf(fuse({ keyword: { ...keyword, candidates }, semantic }))).toEqual(
        orderOf(fuse({ keyword, semantic })),
      )
    })
    fc.assert(scaled)
  })

  test('have a deterministic order', () => {
    const same = fc.property(arms, both => {
      expect(fuse(structuredClone(both))).toEqual(fuse(both))
    })
    fc.assert(same)
  })

  test('keep the order of one list when the other is empty', () => {
    const alone = fc.property(keywordArm, semanticArm, fc.boolean(), (keyword, semantic, isComplete) => {
      expect(orderOf(fuse({ keyword, semantic: [] }))).toEqual(orderOf(keyword.candidates))
      expect(orderOf(fuse({ keyword: { candidates: [], isComplete }, semantic }))).toEqual(orderOf(semantic))
    })
    fc.assert(alone)
  })
})

describe('short lists', () => {
  test('two empty lists return an empty list', () => {
    expect(fuse({ keyword: all(), semantic: [] })).toEqual([])
  })

  test('the best match in both lists has the full score', () => {
    const [first] = fuse({ keyword: all(['a', 12], ['b', 3]), semantic: list(['a', 0.7], ['b', 0.6]) })
    expect(first).toEqual({ id: 'a', score: 1, ranks: { keyword: 1, semantic: 1 } })
  })

  test('the only match in both lists has the full score', () => {
    expect(fuse({ keyword: all(['a', 0.1]), semantic: list(['a', 0.01]) })).toMatchObject([{ id: 'a', score: 1 }])
  })

  test('scores that are all zero contribute nothing and cause no division by zero', () => {
    const fused = fuse({ keyword: all(['a', 0], ['b', 0]), semantic: list(['b', 0.4], ['a', 0]) })
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      ['b', 0.65],
      ['a', 0],
    ])
  })

  test('negative cosines count as zero', () => {
    const fused = fuse({ keyword: all(['c', 1]), semantic: list(['a', -0.1], ['b', -0.9]) })
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      ['c', 0.35],
      ['a', 0],
      ['b', 0],
    ])
  })

  test('the only match of a rare word stays ahead of matches that are no closer in meaning', () => {
    const semantic = list(['x', 0.31], ['y', 0.3], ['rare', 0.29])
    expect(orderOf(fuse({ keyword: all(['rare', 9]), semantic }))[0]).toBe('rare')
  })

  test('a keyword match without a vector counts as the most distant match with a vector', () => {
    const fused = fuse({ keyword: all(['title only', 9]), semantic: list(['x', 0.8], ['y', 0.2]) })
    expect(fused.find(({ id }) => id === 'title only')?.score).toBeCloseTo(0.35 + 0.65 * 0.25)
  })

  test('a match beyond the cutoff of a list counts as its last match', () => {
    const semantic = list(['far', 0.5], ['near', 0.5])
    const fused = fuse({ keyword: cut(['top', 10], ['far', 4], ['last', 4]), semantic })
    const scoreOf = (id: string) => fused.find(each => each.id === id)?.score
    expect(scoreOf('near')).toBeCloseTo(scoreOf('far') ?? 0)
    expect(scoreOf('near')).toBeCloseTo(0.65 + 0.35 * 0.4)
  })
})
