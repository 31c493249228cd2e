/** A resource found by one arm. Scores may be of any scale; more is better, and nothing is as good as 0. */
export interface Candidate {
  id: string
  score: number
}

/** What the keyword arm found. */
export interface KeywordArm {
  /** Distinct, best first. */
  candidates: Candidate[]
  /** True when nothing else has any of the words; false when the list was cut. */
  exhausted: boolean
}

/** One place of the joint list. */
export interface Fused {
  id: string
  /** From 0 to 1. */
  score: number
  /** Places in the lists of the arms, from 1; null where it is in none. */
  ranks: { keyword: number | null; semantic: number | null }
}

/** Weight of the semantic arm: measured, see docs/adr. */
const SEMANTIC_WEIGHT = 0.65

interface Share {
  rank: number | null
  /** The score as a share of the arm's best. */
  of: number
}

/**
 * One list of two: a convex combination of BM25 and cosine, each as a share of its list's best, cosines below 0 taken
 * as 0. What is missing from a list is taken to be as good as the last one in it, since it can be no better: it was cut
 * off, or has no vector to compare. Only what is known to have none of the words counts 0. The order depends on the
 * lists alone, so a page of it is cut last.
 *
 * `semantic`: distinct, best first.
 */
export function fuse({ keyword, semantic }: { keyword: KeywordArm; semantic: Candidate[] }): Fused[] {
  const [words, meaning] = [sharesOf(keyword.candidates, keyword.exhausted), sharesOf(semantic, false)]
  const ids = new Set([...semantic, ...keyword.candidates].map(({ id }) => id))
  return [...ids]
    .map(id => {
      const [k, s] = [words(id), meaning(id)]
      const score = SEMANTIC_WEIGHT * s.of + (1 - SEMANTIC_WEIGHT) * k.of
      return { id, score, ranks: { keyword: k.rank, semantic: s.rank } }
    })
    .toSorted(byScore)
}

function sharesOf(candidates: Candidate[], missingIsNothing: boolean): (id: string) => Share {
  const best = candidates[0]?.score ?? 0
  const shareOf = (score: number) => (best > 0 ? Math.max(0, score) / best : 0)
  const missing: Share = { rank: null, of: missingIsNothing ? 0 : shareOf(candidates.at(-1)?.score ?? 0) }
  const shares = new Map(candidates.map(({ id, score }, index) => [id, { rank: index + 1, of: shareOf(score) }]))
  return id => shares.get(id) ?? missing
}

/** Equal scores go by the better place, then by id: the order is the same each time. */
function byScore(one: Fused, other: Fused): number {
  return other.score - one.score || placeOf(one) - placeOf(other) || (one.id < other.id ? -1 : 1)
}

const placeOf = ({ ranks }: Fused) => Math.min(ranks.semantic ?? Infinity, ranks.keyword ?? Infinity)
