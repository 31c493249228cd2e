/** A resource found by one arm. Scores have any scale; a higher score is better, and 0 is the lowest. */
export interface Candidate {
  id: string
  score: number
}

/** The candidates of the keyword arm. */
export interface RetrievedList {
  /** Distinct ids, best first. */
  candidates: Candidate[]
  /** True when no other resource contains any of the words. False when the list was cut. */
  isComplete: boolean
}

/** One entry of the fused list. */
export interface FusedMatch {
  id: string
  /** From 0 to 1. */
  score: number
  /** Ranks in the lists of the arms, from 1. Null where the resource is not in the list. */
  ranks: { keyword: number | null; semantic: number | null }
}

/** The weight of the semantic arm. It was measured, see docs/adr. */
const SEMANTIC_WEIGHT = 0.65

interface RelativeScore {
  rank: number | null
  /** The score divided by the best score of the arm. */
  score: number
}

/**
 * Fuses two lists by a convex combination of BM25 and cosine, each divided by the best score of its list, with cosines
 * below 0 taken as 0. A resource missing from a list gets the score of its last entry, because it was cut off or has no
 * vector, and only a resource known to contain none of the words gets 0.
 * @param semantic distinct ids, best first
 */
export function fuse({ keyword, semantic }: { keyword: RetrievedList; semantic: Candidate[] }): FusedMatch[] {
  const [keywordShares, semanticShares] = [
    createScorer(keyword.candidates, keyword.isComplete),
    createScorer(semantic, false),
  ]
  const ids = new Set([...semantic, ...keyword.candidates].map(({ id }) => id))
  return [...ids]
    .map(id => {
      const [k, s] = [keywordShares(id), semanticShares(id)]
      const score = SEMANTIC_WEIGHT * s.score + (1 - SEMANTIC_WEIGHT) * k.score
      return { id, score, ranks: { keyword: k.rank, semantic: s.rank } }
    })
    .toSorted(compareByScore)
}

function createScorer(candidates: Candidate[], missingIsNothing: boolean): (id: string) => RelativeScore {
  const best = candidates[0]?.score ?? 0
  const toShare = (score: number) => (best > 0 ? Math.max(0, score) / best : 0)
  const missing: RelativeScore = { rank: null, score: missingIsNothing ? 0 : toShare(candidates.at(-1)?.score ?? 0) }
  const shares = new Map(candidates.map(({ id, score }, index) => [id, { rank: index + 1, score: toShare(score) }]))
  return id => shares.get(id) ?? missing
}

/** Orders by score, then by the better rank, then by id, so that the order is deterministic. */
function compareByScore(match: FusedMatch, other: FusedMatch): number {
  return other.score - match.score || getBestRank(match) - getBestRank(other) || (match.id < other.id ? -1 : 1)
}

const getBestRank = ({ ranks }: FusedMatch) => Math.min(ranks.semantic ?? Infinity, ranks.keyword ?? Infinity)
