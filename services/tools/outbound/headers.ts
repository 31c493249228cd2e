import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { SAFE_HEADERS } from '../../../domain/tools/headers.ts'
import { badRequestError } from './errors.ts'

/** Connection headers, and headers that only the client may set. */
const REFUSED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
// Header values may contain visible characters, blanks and the upper half of Latin-1.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns headers by lowercase name. If a name occurs more than once, the last value is used. Throws StepError
 * BAD_REQUEST that names the header.
 */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [rawName, value] of Object.entries(headers)) {
    const name = rawName.toLowerCase()
    if (!NAME.test(name)) throw badRequestError(`"${rawName.slice(0, 100)}" must be a header name`)
    if (REFUSED.has(name)) throw badRequestError(`The header ${name} is set by the client and cannot be overridden`)
    if (!VALUE.test(value))
      throw badRequestError(`The value of the header ${name} contains characters that are not allowed in headers`)
    checked[name] = value
  }
  return checked
}

export function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => SAFE_HEADERS.has(name)))
}

export function withoutBodyHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}

/** Returns a response's headers as text, without cookies. Repeated headers are joined. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue
    plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
