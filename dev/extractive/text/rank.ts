import { words } from './words.ts'

/** The usual BM25 constants for the saturation of repeated words and the weight of passage length. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** Maximum number of words in a query. Longer queries, such as instructions used as a question, are truncated. */
const MAX_WORDS = 60

/** Returns one score for each passage. The score is 0 if the passage shares no words with the query. */
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
 * Returns how central each passage is, for use in summaries: the mean weight of its words, based on their frequency
 * in the text. Table rows get 0.
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
