import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { HARMLESS_HEADERS } from '../../domain/tools/headers.ts'
import { badRequest } from './errors.ts'

/** Headers of one connection, or that the client itself must set. */
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
// Visible characters, blanks and the upper half of latin1: what a header value may hold on the wire.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Lower-case names; the last of two spellings wins. Throws StepError BAD_REQUEST naming the header, never its value. */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (!NAME.test(name)) throw badRequest(`"${given.slice(0, 100)}" must be a header name`)
    if (REFUSED.has(name)) throw badRequest(`The header ${name} is set by the client and must not be given`)
    if (!VALUE.test(value))
      throw badRequest(`The value of the header ${name} must have only characters allowed in headers`)
    checked[name] = value
  }
  return checked
}

export function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)))
}

export function withoutBodyHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}

/** A response's headers as plain text; repeated ones are joined, and cookies of the other side stay out of the record. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue
    plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
