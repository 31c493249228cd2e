/**
 * Characters that nobody sees, but that change how the text around them is shown or read: controls of the writing direction,
 * spaces without width, fillers. Joiners (U+200C, U+200D) belong to scripts and emoji, and are text. As in a class of a regular
 * expression.
 */
export const INVISIBLE = String.raw`\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb`

/** Letters of tags, which copy ASCII unseen. */
const TAGS = String.raw`\u{e0000}-\u{e007f}`

const FIRST = new RegExp(`[${INVISIBLE}${TAGS}]`, 'u')
const ALL = new RegExp(FIRST, 'gu')

/** Returns the problem of a text of one line that people rely on, such as a title, as the end of a sentence. */
export function invisibleProblem(text: string): string | undefined {
  const [character] = FIRST.exec(text) ?? []
  if (character === undefined) return undefined
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `must not contain the invisible character U+${code}`
}

/** Removes these characters from a text that becomes a title. */
export const removeInvisible = (text: string): string => text.replace(ALL, '')
