import { below, type Layout } from '../text/layout.ts'
import { literally } from '../text/words.ts'

/** A possible value of a labelled field. */
export interface Finding {
  value: string
  score: number
  row: number
}

/** Confidence of a match: the label ends in a colon, the value has its own cell, or only a blank is between. */
const AFTER_MARK = 6
const NEXT_CELL = 5
const BELOW = 3
const AFTER_BLANK = 2

/** The patterns of a field's labels, best first. */
export interface Labels {
  /** Matches when any pattern does, so that one test excludes most cells. */
  anyPattern: RegExp
  each: { pattern: RegExp; weight: number }[]
}

/** Maximum number of cells of a line that belong to one label. */
const MAX_CELLS = 20
/** Longer values are truncated. */
const MAX_VALUE_CHARS = 500

/** Spellings of words in labels. */
const SPELLINGS: Record<string, string> = {
  number: '(?:number|no|nr|num|n°|#)',
  amount: '(?:amount|amt)',
  quantity: '(?:quantity|qty)',
  reference: '(?:reference|ref)',
  phone: '(?:phone|telephone|tel)',
  email: '(?:e-?mail)',
  id: '(?:id|identifier|no|number)',
}

/** Turns phrases, best first, into labels. A word of a phrase matches its usual abbreviations. */
export function labels(phrases: string[]): Labels {
  const bodies = phrases.map(spellPhrase)
  const each = bodies.map((body, i) => ({ pattern: starting(body), weight: 1 - i / bodies.length }))
  return { anyPattern: starting(bodies.join('|')), each }
}

/** Returns the source of a regular expression that matches a phrase in its usual spellings. */
export const spellPhrase = (phrase: string): string =>
  phrase
    .split(/[\s_-]+/)
    .map(word => SPELLINGS[word] ?? literally(word))
    .join('[\\s_./-]*')

const starting = (body: string): RegExp => new RegExp(`^(?:the |your |our )?(?:${body})(?![\\p{L}\\p{N}])`, 'iu')

/** Returns all positions where a label begins a cell, with the value after, beside or below it. */
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

/** Returns the cells of this field, up to a cell that begins with another label. */
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

/** Returns the first cell of a finding, which is the whole value when it consists of words. */
export const firstCell = (value: string): string => value.split(/ {2,}/)[0]?.trim() ?? ''
