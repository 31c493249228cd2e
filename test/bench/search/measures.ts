import type { Judged } from './collection.ts'

/** nDCG of the first ten results, as in trec_eval: gains are the grades, and rank n is weighted by 1 / log2(n + 1). */
export function ndcgAt10(ids: string[], judged: Judged): number {
  const ideal = gainOf([...judged.values()].toSorted((a, b) => b - a))
  return ideal > 0 ? gainOf(ids.map(id => judged.get(id) ?? 0)) / ideal : 0
}

/** The fraction of relevant documents that are among the first hundred results. */
export function recallAt100(ids: string[], judged: Judged): number {
  const wanted = new Set([...judged].filter(([, grade]) => grade > 0).map(([id]) => id))
  return wanted.size > 0 ? ids.slice(0, 100).filter(id => wanted.has(id)).length / wanted.size : 0
}

const gainOf = (grades: number[]) =>
  grades.slice(0, 10).reduce((sum, grade, context) => sum + Math.max(0, grade) / Math.log2(context + 2), 0)
