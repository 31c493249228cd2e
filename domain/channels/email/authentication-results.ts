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
 * can add headers only below it. A mail is authentic if DMARC passes for the domain of the sender's address, or if a
 * passing signature or SPF check covers the domain. Several DMARC results contradict each other.
 * @param headers the values of `Authentication-Results`, topmost first
 */
export function readAuthentication(headers: string[], authservId: string, from: string): MailAuthentication {
  const trusted = headers.map(parseHeader).find(({ id }) => id === authservId.toLowerCase())
  if (!trusted) return NONE
  const domain = findDomain(from)
  const find = (method: string) => trusted.results.filter(result => result.method === method)
  const [dmarc, ...otherDmarc] = find('dmarc')
  const signatures = find('dkim')
  const [spf] = find('spf')
  const covers = ({ result, properties }: MethodResult, property: string) =>
    result === 'pass' && findDomain(properties.get(property) ?? '') === domain
  const aligned = signatures.find(signature => covers(signature, 'header.d'))
  const isDmarcPassed =
    dmarc?.result === 'pass' &&
    otherDmarc.length === 0 &&
    (!dmarc.properties.has('header.from') || covers(dmarc, 'header.from'))
  const isAligned = aligned !== undefined || (spf !== undefined && covers(spf, 'smtp.mailfrom'))
  return {
    spf: spf?.result ?? null,
    dkim: (aligned ?? signatures[0])?.result ?? null,
    dmarc: dmarc?.result ?? null,
    is_authentic: domain !== '' && (dmarc ? isDmarcPassed : isAligned),
  }
}

const findDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** A quoted string, an escaped character, or any other character. */
const TOKEN = /"(?<quoted>(?:[^"\\]|\\.)*)"|\\.|[^\\]/gs
const SYNTAX = /[\s;="]/g

/**
 * Removes comments, and the syntax in quoted strings, which can contain text that looks like a result. Comments can
 * contain quoted strings, too. Returns undefined if a comment or a string has no end.
 */
function simplify(header: string): string | undefined {
  let depth = 0
  const text = header.replaceAll(TOKEN, (token: string, quoted?: string) => {
    if (token === '(') depth++
    if (depth === 0) return quoted?.replaceAll(/\\(.)/gs, '$1').replaceAll(SYNTAX, '\ufffd') ?? token
    if (token === ')') depth--
    return token === '"' ? token : ' '
  })
  return depth > 0 || text.includes('"') ? undefined : text
}

/** A header that is malformed has no results. */
function parseHeader(header: string): { id: string; results: MethodResult[] } {
  const [start = '', ...rest] = (simplify(header) ?? header.replace(/;.*/s, '')).split(';')
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
    return at > 0 ? [[property.slice(0, at).toLowerCase(), property.slice(at + 1).toLowerCase()] as const] : []
  })
  return [{ method: method.replace(/\/.*/, ''), result, properties: new Map(properties) }]
}
