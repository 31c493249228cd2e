import type { MailAuthentication } from '../channel.ts'

/** One result, such as `dkim=pass header.d=example.com`. https://www.rfc-editor.org/rfc/rfc8601 */
interface MethodResult {
  method: string
  result: string
  /** Properties by name, such as `header.d`. */
  properties: Map<string, string>
}

const NONE: MailAuthentication = { spf: null, dkim: null, dmarc: null, is_authentic: false }

/**
 * Reads the results that the receiving server recorded. Only its latest header counts, which is the topmost: a sender
 * can add headers only below it. A mail is authentic if DMARC passes, or if a passing signature or SPF check covers
 * the domain of the sender's address.
 * @param headers the values of `Authentication-Results`, topmost first
 */
export function readAuthentication(headers: string[], authservId: string, from: string): MailAuthentication {
  const trusted = headers.map(parseHeader).find(({ id }) => id === authservId.toLowerCase())
  if (!trusted) return NONE
  const domain = findDomain(from)
  const find = (method: string) => trusted.results.filter(result => result.method === method)
  const [dmarc] = find('dmarc')
  const signatures = find('dkim')
  const [spf] = find('spf')
  const aligned = signatures.find(
    ({ result, properties }) => result === 'pass' && properties.get('header.d') === domain,
  )
  const isSpfAligned = spf?.result === 'pass' && findDomain(spf.properties.get('smtp.mailfrom') ?? '') === domain
  return {
    spf: spf?.result ?? null,
    dkim: (aligned ?? signatures[0])?.result ?? null,
    dmarc: dmarc?.result ?? null,
    is_authentic: domain !== '' && (dmarc ? dmarc.result === 'pass' : aligned !== undefined || isSpfAligned),
  }
}

const findDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Comments, which can contain semicolons. Nested comments are not read. */
const COMMENT = /\((?:[^()\\]|\\.)*\)/g
const QUOTED = /^"(?<text>.*)"$/

function parseHeader(header: string): { id: string; results: MethodResult[] } {
  const [start = '', ...rest] = header.replaceAll(COMMENT, ' ').split(';')
  const [id = ''] = start.trim().split(/\s+/)
  return { id: id.toLowerCase(), results: rest.flatMap(parseResult) }
}

function parseResult(text: string): MethodResult[] {
  const [first = '', ...rest] = text
    .trim()
    .replaceAll(/\s*=\s*/g, '=')
    .split(/\s+/)
  const [method = '', result] = first.toLowerCase().split('=')
  if (result === undefined) return []
  const properties = rest.flatMap(property => {
    const at = property.indexOf('=')
    const value = property.slice(at + 1)
    const unquoted = QUOTED.exec(value)?.groups?.['text'] ?? value
    return at > 0 ? [[property.slice(0, at).toLowerCase(), unquoted.toLowerCase()] as const] : []
  })
  return [{ method: method.replace(/\/.*/, ''), result, properties: new Map(properties) }]
}
