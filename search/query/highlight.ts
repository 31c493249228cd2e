import type { estypes } from '@elastic/elasticsearch'
import { keywordsOf } from './query-text.ts'

/** How much of a chunk is shown, in characters: the best two passages, or the beginning. */
const PASSAGES = 2
const PASSAGE = 160
const BEGINNING = PASSAGES * PASSAGE

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

/** Asks for the passages of a chunk that hold the words of the text, as HTML. */
export const passagesOf = (text: string): estypes.SearchHighlight => ({
  encoder: 'html',
  pre_tags: ['<mark>'],
  post_tags: ['</mark>'],
  fields: {
    'chunks.text': {
      number_of_fragments: PASSAGES,
      fragment_size: PASSAGE,
      highlight_query: { match: { 'chunks.text': { query: keywordsOf(text) } } },
    },
  },
})

/** The passages as one text; the beginning of the chunk where none of its words was looked for. */
export const highlighted = (text: string, passages: string[] = []): string =>
  passages.length > 0 ? passages.join(' … ') : escaped(beginningOf(text))

function beginningOf(text: string): string {
  if (text.length <= BEGINNING) return text
  const space = text.lastIndexOf(' ', BEGINNING)
  return `${text.slice(0, space > 0 ? space : BEGINNING).toWellFormed()} …`
}

const escaped = (text: string) => text.replaceAll(/[&<>"'/]/g, sign => ENTITIES[sign] ?? sign)
