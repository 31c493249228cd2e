import { below, type Layout } from '../text/layout.ts'
import { literally } from '../text/words.ts'

/** A possible value for a labeled field. */
export interface Finding {
  value: string
  score: number
  row: number
}

/** How reliable a match is, by what separates the label from the value: a colon, a cell boundary, or only a blank. */
const AFTER_MARK = 6
const NEXT_CELL = 5
const BELOW = 3
const AFTER_BLANK = 2

/** Patterns for a field's labels, best first. */
export interface Labels {
  /** Matches if any of the patterns matches, so that a single test excludes most cells. */
  anyPattern: RegExp
  each: { pattern: RegExp; weight: number }[]
}

/** Maximum number of cells in a line that are assigned to one label. */
const MAX_CELLS = 20
/** Maximum length of a value. Longer values are truncated. */
const MAX_VALUE_CHARS = 500

/** Alternative spellings of words in labels. */
const SPELLINGS: Record<string, string> = {
  number: '(?:number|no|nr|num|n°|#)',
  amount: '(?:amount|amt)',
  quantity: '(?:quantity|qty)',
  reference: '(?:reference|ref)',
  phone: '(?:phone|telephone|tel)',
  email: '(?:e-?mail)',
  id: '(?:id|identifier|no|number)',
}

/**
 * Builds label patterns from phrases. The best phrase must come first. A word in a phrase also matches its usual
 * abbreviations.
 */
export function labels(phrases: string[]): Labels {
  const bodies = phrases.map(spellPhrase)
  const each = bodies.map((body, i) => ({ pattern: starting(body), weight: 1 - i / bodies.length }))
  return { anyPattern: starting(bodies.join('|')), each }
}

/** Returns a regular expression source that matches the usual spellings of a phrase. */
export const spellPhrase = (phrase: string): string =>
  phrase
    .split(/[\s_-]+/)
    .map(word => SPELLINGS[word] ?? literally(word))
    .join('[\\s_./-]*')

const starting = (body: string): RegExp => new RegExp(`^(?:the |your |our )?(?:${body})(?![\\p{L}\\p{N}])`, 'iu')

/**
 * Returns every position where a cell starts with a label, together with the value after, next to or below the label.
 */
export function findings(layout: Layout, { anyPattern, each }: Labels): Finding[] {
  return layout.flatMap((cells, row) =>
    cells.flatMap((cell, place) => {
      if (!anyPattern.test(cell.text)) return []
      const under = below(layout, row, cell)?.text
      const beside = upToLabel(cells.slice(place + 1, place + MAX_CELLS).map(other => other.text))
      return each.flatMap(({ pattern, weight }) => {
        const match = pattern.exec(cell.text)
        if (!match) return []
        const rest = cell.text.slice(match[0].length, match[0].length + MAX_VALUE_CHARS)
        return places(rest, beside, under).map(({ value, score }) => ({ value, score: score + weight, row }))
      })
    }),
  )
}

/** Returns the cells that belong to this field, which end before a cell that starts with another label. */
function upToLabel(cells: string[]): string[] {
  const other = cells.findIndex(cell => /^[^:\d]{1,40}:(?:\s|$)/.test(cell))
  return other < 0 ? cells : cells.slice(0, other)
}

function places(rest: string, beside: string[], under: string | undefined): { value: string; score: number }[] {
  const [, mark = '', inline = ''] = /^(\s*\([^)]*\))?\s*[.:#=]*\s*[:#=–—-]?\s*(.*)$/su.exec(rest) ?? []
  const marked = /^(?:\s*\([^)]*\))?[\s.]*[:#=–—]/u.test(rest)
  const value = inline.trim()
  const score = marked ? AFTER_MARK : mark ? NEXT_CELL : AFTER_BLANK
  if (value) return [{ value: [value, ...beside].join('  '), score }]
  const next = beside.length > 0 ? [{ value: beside.join('  '), score: NEXT_CELL }] : []
  return under ? [...next, { value: under, score: marked && next.length === 0 ? NEXT_CELL : BELOW }] : next
}

/** Returns the first cell of a finding. If the value consists of words, this is the whole value. */
export const firstCell = (value: string): string => value.split(/ {2,}/)[0]?.trim() ?? ''
