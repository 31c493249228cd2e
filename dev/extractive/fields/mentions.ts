import { snake } from '../text/concepts.ts'
import { literally } from '../text/words.ts'

/** The position at which a text mentions a tool. */
export interface Mention {
  name: string
  start: number
  end: number
}

/** Maximum length of the text that is searched. */
const MAX_TEXT_CHARS = 50_000
const NEGATION = /\b(?:never|not|don['’]?t|without|avoid)\b[^.!?;:\n]*$/i
/** Maximum distance between a tool name and an earlier word that forbids the tool. */
const REACH = 60

/**
 * Returns the tools that a text mentions, in order. `write_artifact` also matches "write artifact" and "write an
 * artifact". A longer name takes precedence over a name that it contains. Forbidden tools are omitted.
 */
export function mentions(text: string, names: string[]): Mention[] {
  if (names.length === 0) return []
  const searched = text.slice(0, MAX_TEXT_CHARS)
  const ordered = names.toSorted((a, b) => b.length - a.length)
  const anyName = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${ordered.map(spellings).join('|')})(?![\\p{L}\\p{N}_-])`, 'giu')
  return Array.from(searched.matchAll(anyName), match => {
    const name = ordered[match.slice(1).findIndex(group => group !== undefined)] ?? ''
    return { name, start: match.index, end: match.index + match[0].length }
  }).filter(({ start }) => !NEGATION.test(searched.slice(Math.max(0, start - REACH), start)))
}

const GAP = '(?:[\\s_-]{1,3}(?:the|a|an)[\\s_-]{1,3}|[\\s_-]{0,3})'

function spellings(name: string): string {
  const words = snake(name)
    .split(/_+/)
    .filter(Boolean)
    .map(word => (word === 'human' ? '(?:human|person)' : literally(word)))
  return `(${words.join(GAP) || literally(name)})`
}
