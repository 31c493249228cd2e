import type { estypes } from '@elastic/elasticsearch'

/** Maximum number of passages in a highlight. Without passages, the highlight is the beginning of the chunk. */
const MAX_FRAGMENTS = 2
const MAX_FRAGMENT_CHARS = 160
const MAX_EXCERPT_CHARS = MAX_FRAGMENTS * MAX_FRAGMENT_CHARS

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

/** Builds the request for the passages in a chunk that contain words from the text, as HTML. */
export const buildHighlight = (text: string): estypes.SearchHighlight => ({
  encoder: 'html',
  pre_tags: ['<mark>'],
  post_tags: ['</mark>'],
  fields: {
    'chunks.text': {
      number_of_fragments: MAX_FRAGMENTS,
      fragment_size: MAX_FRAGMENT_CHARS,
      highlight_query: { match: { 'chunks.text': { query: text } } },
    },
  },
})

/** Joins the passages into one text. If there are none, returns the beginning of the chunk. */
export const renderHighlight = (text: string, fragments: string[] = []): string =>
  fragments.length > 0 ? fragments.join(' … ') : escapeHtml(truncate(text))

function truncate(text: string): string {
  if (text.length <= MAX_EXCERPT_CHARS) return text
  const space = text.lastIndexOf(' ', MAX_EXCERPT_CHARS)
  return `${text.slice(0, space > 0 ? space : MAX_EXCERPT_CHARS).toWellFormed()} …`
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"'/]/g, sign => ENTITIES[sign] ?? sign)
