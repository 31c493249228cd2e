import { PayloadTooLarge, UnsupportedMediaType } from '../../../domain/shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import { assertStorable } from '../../../domain/shared/json/parsing/json-shape.ts'
import { parseJson } from '../../../domain/shared/json/parsing/parse-json.ts'
import { isUtf8 } from '../../../domain/shared/text/utf8.ts'
import type { HookRequest } from './receive.ts'

/** The form in which the event contains a request's body. `base64` is used for bytes that are not text. */
export type BodyFormat = 'json' | 'form' | 'text' | 'base64'

export interface HookBody {
  format: BodyFormat
  /** Null without a body. For a form, an object with string values. A repeated field becomes a list. */
  body: JsonValue
}

const MAX_FORM_FIELDS = 1_000

/**
 * Reads a body according to its media type. Throws ValidationError for JSON that is invalid or nested too deeply, and
 * UnsupportedMediaType for JSON or forms that are not in UTF-8.
 * @param jsonField the form field that contains the message as JSON, used instead of the other fields
 */
export function readHookBody({ headers, body }: Pick<HookRequest, 'headers' | 'body'>, jsonField?: string): HookBody {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  if (body.length === 0) return { format: 'text', body: null }
  if (/^application\/(?:json|.+\+json)$/.test(mediaType)) {
    requireUtf8(parameters)
    return { format: 'json', body: parseJson(body) as JsonValue }
  }
  if (mediaType === 'application/x-www-form-urlencoded') {
    requireUtf8(parameters)
    return readForm(body, jsonField)
  }
  return readText(body)
}

function requireUtf8(parameters: string[]): void {
  const charset = parameters.find(parameter => parameter.trim().startsWith('charset='))?.split('=')[1]
  if (charset !== undefined && !isUtf8(charset.replaceAll('"', '')))
    throw new UnsupportedMediaType('The charset of the body must be UTF-8')
}

function readForm(bytes: Buffer, jsonField?: string): HookBody {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))]
  if (fields.length > MAX_FORM_FIELDS) throw new PayloadTooLarge(`A form may have at most ${MAX_FORM_FIELDS} fields`)
  const message = fields.find(([name]) => name === jsonField)?.[1]
  if (message !== undefined) return { format: 'json', body: parseJson(Buffer.from(message)) as JsonValue }
  const grouped = Object.groupBy(fields, ([name]) => name)
  const body: JsonObject = Object.fromEntries(
    Object.entries(grouped).map(([name, pairs = []]) => {
      const values = pairs.map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
  assertStorable(body)
  return { format: 'form', body }
}

function readText(bytes: Buffer): HookBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return { format: 'text', body: text }
  } catch {
    // Not text.
  }
  return { format: 'base64', body: bytes.toString('base64') }
}
