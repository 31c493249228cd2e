/** A resource found by one arm. Scores may be of any scale; more is better, and nothing is as good as 0. */
export interface Candidate {
  id: string
  score: number
}

/** What the keyword arm found. */
export interface RetrievedList {
  /** Distinct, best first. */
  candidates: Candidate[]
  /** True when nothing else has any of the words; false when the list was cut. */
  isComplete: boolean
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

interface RelativeScore {
  rank: number | null
  /** The score as a share of the arm's best. */
  score: number
}

/**
 * One list of two: a convex combination of BM25 and cosine, each as a share of its list's best, cosines below 0 taken
 * as 0. What is missing from a list is taken to be as good as the last one in it, since it can be no better: it was cut
 * off, or has no vector to compare. Only what is known to have none of the words counts 0. The order depends on the
 * lists alone, so a page of it is cut last.
 *
 * `semantic`: distinct, best first.
 */
export function fuse({ keyword, semantic }: { keyword: RetrievedList; semantic: Candidate[] }): Fused[] {
  const [keywordShares, semanticShares] = [toShares(keyword.candidates, keyword.isComplete), toShares(semantic, false)]
  const ids = new Set([...semantic, ...keyword.candidates].map(({ id }) => id))
  return [...ids]
    .map(id => {
      const [k, s] = [keywordShares(id), semanticShares(id)]
      const score = SEMANTIC_WEIGHT * s.score + (1 - SEMANTIC_WEIGHT) * k.score
      return { id, score, ranks: { keyword: k.rank, semantic: s.rank } }
    })
    .toSorted(compareByScore)
}

function toShares(candidates: Candidate[], missingIsNothing: boolean): (id: string) => RelativeScore {
  const best = candidates[0]?.score ?? 0
  const toShare = (score: number) => (best > 0 ? Math.max(0, score) / best : 0)
  const missing: RelativeScore = { rank: null, score: missingIsNothing ? 0 : toShare(candidates.at(-1)?.score ?? 0) }
  const shares = new Map(candidates.map(({ id, score }, index) => [id, { rank: index + 1, score: toShare(score) }]))
  return id => shares.get(id) ?? missing
}

/** Equal scores go by the better place, then by id: the order is the same each time. */
function compareByScore(one: Fused, other: Fused): number {
  return other.score - one.score || getBestRank(one) - getBestRank(other) || (one.id < other.id ? -1 : 1)
}

const getBestRank = ({ ranks }: Fused) => Math.min(ranks.semantic ?? Infinity, ranks.keyword ?? Infinity)
