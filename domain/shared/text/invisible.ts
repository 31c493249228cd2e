/**
 * Invisible characters that change how the surrounding text is displayed or read: direction controls, zero-width
 * spaces, fillers. Joiners (U+200C, U+200D) belong to scripts and emoji, so they count as text. Written for a regular
 * expression class.
 */
export const INVISIBLE = String.raw`\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb`

/** Tag letters, which encode ASCII invisibly. */
const TAGS = String.raw`\u{e0000}-\u{e007f}`

const FIRST = new RegExp(`[${INVISIBLE}${TAGS}]`, 'u')
const ALL = new RegExp(FIRST, 'gu')

/** Returns the problem with a single-line text that people rely on, such as a title, as the end of a sentence. */
export function invisibleProblem(text: string): string | undefined {
  const [character] = FIRST.exec(text) ?? []
  if (character === undefined) return undefined
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `must not contain the invisible character U+${code}`
}

/** Removes invisible characters from a text that is used as a title. */
export const removeInvisible = (text: string): string => text.replace(ALL, '')
