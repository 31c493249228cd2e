const CODES = new Set(Intl.supportedValuesOf('currency'))
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '₱': 'PHP',
  '₪': 'ILS',
}
const SIGNED_DOLLARS: Record<string, string> = {
  US: 'USD',
  A: 'AUD',
  AU: 'AUD',
  C: 'CAD',
  CA: 'CAD',
  NZ: 'NZD',
  HK: 'HKD',
  S: 'SGD',
  R: 'BRL',
}
const NAMES: [RegExp, string][] = [
  [/\beuros?\b/i, 'EUR'],
  [/\b(?:us )?dollars?\b/i, 'USD'],
  [/\bpounds? sterling\b/i, 'GBP'],
  [/\bswiss francs?\b/i, 'CHF'],
  [/\byen\b/i, 'JPY'],
]

/**
 * Returns the currency in a text as an ISO 4217 code. Prefers the code that occurs most often next to amounts. Without
 * one, uses a currency that the text names.
 */
export function currencyIn(text: string): string | undefined {
  return mostFrequent([...besideAmounts(text), ...signs(text)]) ?? NAMES.find(([name]) => name.test(text))?.[1]
}

/** Returns the currency codes next to amounts, as in `EUR 12` and `12.50 CHF`. */
function besideAmounts(text: string): string[] {
  const matches = text.matchAll(/\b([A-Z]{3})\s?(?=[-−]?\d)|\d\s?([A-Z]{3})\b/g)
  return Array.from(matches, ([, before, after]) => before ?? after ?? '').filter(code => CODES.has(code))
}

function signs(text: string): string[] {
  return Array.from(text.matchAll(/(?<![A-Z])(US|AU?|CA?|NZ|HK|S|R)?(\p{Sc})/gu), ([, prefix, sign]) => {
    const signed = sign === '$' && prefix ? SIGNED_DOLLARS[prefix] : undefined
    return signed ?? SIGNS[sign ?? ''] ?? ''
  }).filter(Boolean)
}

/**
 * Returns a currency code that has no amount next to it. Used only for the value after a currency label, because
 * elsewhere the code could be any word.
 */
export function codeIn(text: string): string | undefined {
  return text.match(/\b[A-Z]{3}\b/g)?.find(code => CODES.has(code))
}

function mostFrequent(codes: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
