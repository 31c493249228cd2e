/** Fractions of the font size, slightly wider than usual sans-serif fonts, so that labels have room. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\p{Extended_Pictographic}]/u
const WIDTHS: [RegExp, number][] = [
  [WIDE, 1.05],
  [/[mwMW@%]/, 1.05],
  [/[iljtfrI.,:;'|!()[\]]/, 0.42],
  [/\p{Lu}/u, 0.8],
  [/\p{M}/u, 0],
]
const USUAL = 0.68

/** Estimates the width of a sans-serif text in the unit of the font size. The estimate errs on the wide side. */
export function estimateTextWidth(text: string, fontSize: number): number {
  let width = 0
  for (const sign of text) width += WIDTHS.find(([signs]) => signs.test(sign))?.[1] ?? USUAL
  return width * fontSize
}

/** Returns the beginning of a text that fits the width, with an ellipsis if it is cut. */
export function fitText(text: string, fontSize: number, maxWidth: number): string {
  if (estimateTextWidth(text, fontSize) <= maxWidth) return text
  const signs = Array.from(text)
  while (signs.length > 1 && estimateTextWidth(`${signs.join('')}…`, fontSize) > maxWidth) signs.pop()
  return `${signs.join('').trimEnd()}…`
}
