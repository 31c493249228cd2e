import { below, type Layout } from './layout.ts'

/** A place where a value of a labelled field may stand. */
export interface Finding {
  value: string
  score: number
  row: number
}

/** How sure a place is: the label ends in a colon, or the value has a cell of its own, or only a blank is between. */
const AFTER_MARK = 6
const NEXT_CELL = 5
const BELOW = 3
const AFTER_BLANK = 2

/** A label, best first; `only` is a place that may not be inside a longer run of words. */
export interface Label {
  pattern: RegExp
  weight: number
}

/** Spellings of words that labels are made of. */
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
export function labels(phrases: string[]): Label[] {
  return phrases.map((phrase, i) => {
    const body = phrase
      .split(/[\s_-]+/)
      .map(word => SPELLINGS[word] ?? word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'))
      .join('[\\s_./-]*')
    return {
      pattern: new RegExp(`^(?:the |your |our )?${body}(?![\\p{L}\\p{N}])`, 'iu'),
      weight: 1 - i / phrases.length,
    }
  })
}

/** All places where one of the labels begins a cell, with what stands after, beside or below it. */
export function findings(layout: Layout, wanted: Label[]): Finding[] {
  return layout.flatMap((cells, row) =>
    cells.flatMap((cell, place) =>
      wanted.flatMap(({ pattern, weight }) => {
        const found = pattern.exec(cell.text)
        if (!found) return []
        const rest = cell.text.slice(found[0].length)
        const under = below(layout, row, cell)?.text
        const beside = upToLabel(cells.slice(place + 1).map(other => other.text))
        return places(rest, beside, under).map(({ value, score }) => ({ value, score: score + weight, row }))
      }),
    ),
  )
}

/** The cells of this field: a cell that begins with a label of its own starts another one. */
function upToLabel(cells: string[]): string[] {
  const other = cells.findIndex(cell => /^[^:\d]{1,40}:(?:\s|$)/.test(cell))
  return other < 0 ? cells : cells.slice(0, other)
}

function places(rest: string, beside: string[], under: string | undefined): { value: string; score: number }[] {
  const [, mark = '', inline = ''] = /^(\s*\([^)]*\))?\s*[.:#=]*\s*[:#=–—-]?\s*(.*)$/su.exec(rest) ?? []
  const marked = /^(?:\s*\([^)]*\))?[\s.]*[:#=–—]/u.test(rest)
  const value = inline.trim()
  if (value)
    return [{ value: [value, ...beside].join('  '), score: marked ? AFTER_MARK : mark ? NEXT_CELL : AFTER_BLANK }]
  const next = beside.length > 0 ? [{ value: beside.join('  '), score: NEXT_CELL }] : []
  return under ? [...next, { value: under, score: marked && next.length === 0 ? NEXT_CELL : BELOW }] : next
}

/** The first cell of a finding, which is all of it where the value is words. */
export const firstCell = (value: string): string => value.split(/ {2,}/)[0]?.trim() ?? ''
