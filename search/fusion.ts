/** A resource found by one arm of the search. Scores may have any scale, but higher is better and 0 is the lowest. */
export interface Candidate {
  id: string
  score: number
}

/** The candidates of the keyword arm. */
export interface RetrievedList {
  /** Candidates with distinct ids, best first. */
  candidates: Candidate[]
  /** True if no other resource contains any of the words. False if the list was truncated. */
  isComplete: boolean
}

/** An entry of the fused list. */
export interface FusedMatch {
  id: string
  /** A score from 0 to 1. */
  score: number
  /** Ranks in the lists of the arms, starting at 1. Null if the resource is not in the list. */
  ranks: { keyword: number | null; semantic: number | null }
}

/** The weight of the semantic arm. ADR 0015 describes how it was measured. */
const SEMANTIC_WEIGHT = 0.65

interface RelativeScore {
  rank: number | null
  /** The score divided by the arm's best score. */
  score: number
}

/**
 * Fuses two lists with a convex combination of BM25 and cosine scores, each divided by the best score in its list.
 * Negative cosines count as 0. A resource that is missing from a list gets the list's lowest score, because the list
 * was truncated or the resource has no vector. A resource gets 0 only if it is known to contain none of the words.
 * @param semantic candidates with distinct ids, best first
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

/** Compares by score, then by the better of the two ranks, then by id, so that the order is deterministic. */
function compareByScore(match: FusedMatch, other: FusedMatch): number {
  return other.score - match.score || getBestRank(match) - getBestRank(other) || (match.id < other.id ? -1 : 1)
}

const getBestRank = ({ ranks }: FusedMatch) => Math.min(ranks.semantic ?? Infinity, ranks.keyword ?? Infinity)
