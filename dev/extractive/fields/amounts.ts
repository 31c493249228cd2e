/** Matches a number with an optional sign, thousands separators and decimals, but not a percentage or a date. */
const NUMBER =
  /(?<![\w.,/:-])(?:[-−–]\s?|\()?(?:\p{Sc}\s?)?\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?(?![\d%/:])(?!\s?%)(?!-\d)/gu

export interface Amount {
  value: number
  /** True if the number has decimals or a currency next to it, and is not a count. */
  money: boolean
}

export function amountsIn(text: string): Amount[] {
  const amounts = Array.from(text.matchAll(NUMBER), match => {
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 5)
    const before = text.slice(Math.max(0, match.index - 4), match.index)
    const money =
      /[.,]\d{2}$|\p{Sc}/u.test(match[0]) ||
      /(?:[A-Z]{3}|\p{Sc})\s?$/u.test(before) ||
      /^\s?(?:[A-Z]{3}\b|\p{Sc})/u.test(after)
    return { value: parseNumber(match[0]), money }
  })
  return amounts.filter(({ value }) => Number.isFinite(value))
}

/**
 * Parses numbers such as `1,234.50`, `1.234,50`, `1 234,50` and `(12)` (-12). A single separator before exactly three
 * digits is a thousands separator.
 */
export function parseNumber(text: string): number {
  const negative = /^[-−–(]/.test(text)
  const digits = text.replaceAll(/[^\d.,]/g, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const mark = digits.charAt(last)
  const groups =
    last < 0 ||
    (digits.indexOf(mark) !== last ? true : digits.length - last === 4 && !/[.,]/.test(digits.slice(0, last)))
  const whole = groups ? digits : digits.slice(0, last)
  const plain = `${whole.replaceAll(/[.,]/g, '')}${groups ? '' : `.${digits.slice(last + 1)}`}`
  return negative ? -Number(plain) : Number(plain)
}
