/**
 * Words with the same meaning have vectors in the same direction. Stands in for a model, with cosines that can be
 * computed by hand.
 */
const CONCEPTS = [
  ['dog', 'puppy', 'hound'],
  ['car', 'vehicle', 'automobile'],
  ['money', 'refund', 'payment'],
  ['sea', 'ocean', 'sailing'],
  ['music', 'song', 'melody'],
]

export const DIMENSIONS = CONCEPTS.length + 1

/** Returns a unit vector with one dimension per concept and one that all texts share. */
export function embedText(text: string): Float32Array {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = CONCEPTS.map(concept => words.filter(word => concept.includes(word)).length)
  const length = Math.hypot(...counts, 0.5)
  return Float32Array.from([...counts, 0.5], number => number / length)
}

export const conceptEmbedder = {
  model: 'test:concepts',
  dimensions: DIMENSIONS,
  embed: (texts: string[]) => Promise.resolve(texts.map(embedText)),
}
