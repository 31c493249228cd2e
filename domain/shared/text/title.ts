import { invisibleProblem, removeInvisible } from './invisible.ts'
import { cut } from './shorten.ts'
import { isStorable, UNSTORABLE } from '../json/storable.ts'

export const MAX_TITLE_CHARS = 200

/** Returns the problem with a title as the end of a sentence, or undefined. */
export function titleProblem(title: string): string | undefined {
  if (title.length > MAX_TITLE_CHARS) return `must have at most ${MAX_TITLE_CHARS} characters`
  if (!isStorable(title)) return UNSTORABLE
  if (title.trim() === '') return 'must not be empty'
  return /\p{Cc}/u.test(title) ? 'must be a single line' : invisibleProblem(title)
}

/** Converts a text to a title: its beginning on one line. Returns '' if no character remains. */
export function cleanTitle(text: string, maxChars = MAX_TITLE_CHARS): string {
  const line = removeInvisible(text.toWellFormed())
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return cut(line, maxChars).trimEnd()
}
