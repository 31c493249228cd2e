import { ndcgAt10, recallAt100 } from './measures.ts'

const judged = new Map([
  ['best', 3],
  ['good', 1],
  ['wrong', 0],
])

describe('nDCG@10', () => {
  test('is 1 for the best order, and 0 without relevant documents', () => {
    expect(ndcgAt10(['best', 'good', 'wrong'], judged)).toBe(1)
    expect(ndcgAt10(['wrong', 'unjudged'], judged)).toBe(0)
    expect(ndcgAt10([], judged)).toBe(0)
  })

  test('uses linear gain and a logarithmic discount', () => {
    const ideal = 3 + 1 / Math.log2(3)
    expect(ndcgAt10(['wrong', 'good', 'best'], judged)).toBeCloseTo((1 / Math.log2(3) + 3 / 2) / ideal)
  })

  test('considers only the first ten results', () => {
    const others = Array.from({ length: 10 }, (_, n) => `other${n}`)
    expect(ndcgAt10([...others, 'best'], judged)).toBe(0)
  })
})

describe('recall@100', () => {
  test('is the fraction of relevant documents found', () => {
    expect(recallAt100(['good', 'wrong'], judged)).toBe(0.5)
    expect(recallAt100(['good', 'best'], judged)).toBe(1)
    const others = Array.from({ length: 100 }, (_, n) => `other${n}`)
    expect(recallAt100([...others, 'best'], judged)).toBe(0)
  })
})
