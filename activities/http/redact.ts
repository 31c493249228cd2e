import { HARMLESS_HEADERS } from '../../domain/tools/headers.ts'
import type { HttpStep } from './http-step.ts'

const SECRET_PARAMETER = /key|token|secret|sig|pass|auth|credential|^t$|^code$/i
/** Shorter values say little and would tear holes into ordinary words. */
const MIN_SECRET_CHARS = 4

/** Some endpoints echo what they were sent; this keeps the secrets among it out of messages. */
export function redact(text: string, sent: HttpStep): string {
  return secretsOf(sent).reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}

function secretsOf({ headers, url }: HttpStep): string[] {
  const values = Object.keys(headers).flatMap(name => (HARMLESS_HEADERS.has(name) ? [] : (headers[name] ?? '')))
  const fromHeaders = [...values, ...values.flatMap(value => value.split(/[\s;,]+/))]
  const fromQuery = [...new URL(url).searchParams]
    .filter(([name]) => SECRET_PARAMETER.test(name))
    .map(([, value]) => value)
  return [...fromHeaders, ...fromQuery]
    .filter(value => value.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
}
