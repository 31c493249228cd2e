import { amountsIn } from '../fields/amounts.ts'
import { phrasesFor } from './concepts.ts'
import { spellPhrase } from '../fields/labels.ts'
import type { Field } from '../fields/scalars.ts'

/** Maximum distance between a label and its number. */
const MAX_BETWEEN_CHARS = 40
/** Words and symbols that may occur between a label and its number. */
const BETWEEN = /^\s*(?:(?:is|are|of|to|at|=|:)\s*)?(?:[A-Z]{3}\s?|\p{Sc}\s?)?(?=[-−–]?\s?\p{Sc}?\d)/u

/** Returns the number that directly follows a field name in a sentence, such as 50 for `amount` in "Pay amount 50". */
export function numberInSentence(text: string, { name, title }: Field, whole: boolean): number | undefined {
  const phrases = phrasesFor(name, title).map(spellPhrase).join('|')
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${phrases})(?![\\p{L}\\p{N}])`, 'giu'))) {
    const end = match.index + match[0].length
    const between = BETWEEN.exec(text.slice(end, end + MAX_BETWEEN_CHARS))?.[0]
    if (between === undefined) continue
    const value = amountsIn(firstWord(text.slice(end + between.length)))[0]?.value
    if (value !== undefined && (!whole || Number.isInteger(value))) return value
  }
  return undefined
}

const firstWord = (text: string): string => /^\S{1,40}/.exec(text)?.[0].replace(/[.,;:!?)]+$/, '') ?? ''
