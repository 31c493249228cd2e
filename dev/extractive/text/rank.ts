import { words } from './words.ts'

/** BM25's usual constants: saturation of repeated words, and weight of the length of a passage. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** Maximum number of words of a query. Instructions in place of a question are truncated. */
const MAX_WORDS = 60

/** Returns one score per passage, 0 for a passage that shares no word with the query. */
export function rank(passages: string[], query: string): number[] {
  const documents = passages.map(words)
  const average = documents.reduce((sum, document) => sum + document.length, 0) / (documents.length || 1)
  const rarities = new Map(
    Array.from(new Set(words(query).slice(0, MAX_WORDS)), word => [word, rarity(word, documents)]),
  )
  return documents.map(document => {
    const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * document.length) / (average || 1)
    return [...rarities].reduce((score, [word, weight]) => {
      const count = document.filter(other => other === word).length
      return score + (weight * count * (SATURATION + 1)) / (count + SATURATION * length)
    }, 0)
  })
}

function rarity(word: string, documents: string[][]): number {
  const having = documents.filter(document => document.includes(word)).length
  return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
}

/**
 * Returns the centrality of each passage, for summaries: the mean weight of its words by their frequency in the text.
 * Rows of a table get 0.
 */
export function centrality(passages: string[]): number[] {
  const documents = passages.map(words)
  const counts = new Map<string, number>()
  for (const word of documents.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  return documents.map((document, place) => {
    if (document.length < 4 || passages[place]?.includes('  ')) return 0
    const weight = document.reduce((sum, word) => sum + Math.log(counts.get(word) ?? 1), 0)
    return weight / Math.sqrt(document.length)
  })
}
