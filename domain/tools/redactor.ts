import type { JsonValue } from '../shared/json/json.ts'

/** Removes secrets from text and JSON that other systems return, because some endpoints echo requests. */
export interface Redactor {
  text(text: string): string
  json(value: JsonValue): JsonValue
}

const REPLACEMENT = '[redacted]'
/** Shorter values are not treated as secrets, because they occur in ordinary words. */
const MIN_SECRET_CHARS = 4

/** @param secrets values as sent. Their words are hidden too, so `Bearer x` also hides x. */
export function createRedactor(secrets: string[]): Redactor {
  const words = secrets
    .flatMap(secret => [secret, ...secret.split(/[\s;,]+/)])
    .filter(word => word.length >= MIN_SECRET_CHARS)
  const forms = words.flatMap(word => [word, encodeURIComponent(word.toWellFormed()), escapeJson(word)])
  // Longest first, because a secret may be part of another one.
  const hidden = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const escaped = hidden.map(escapeJson)
  const redact = (text: string, secretForms: string[]) =>
    secretForms.reduce((rest, form) => rest.replaceAll(form, REPLACEMENT), text)
  const text = (value: string) => redact(value, hidden)

  function json(value: JsonValue): JsonValue {
    if (hidden.length === 0) return value
    if (typeof value === 'string') return text(value)
    const before = JSON.stringify(value)
    const after = redact(before, escaped)
    return after === before ? value : (JSON.parse(after) as JsonValue)
  }

  return { text, json }
}

/** Returns the word as it appears inside a JSON string. */
const escapeJson = (word: string): string => JSON.stringify(word).slice(1, -1)
