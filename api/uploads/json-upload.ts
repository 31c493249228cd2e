import { hash } from 'node:crypto'
import { decodeBase64 } from '../../domain/base64.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { ReceivedContent } from '../../services/documents/types.ts'
import { parseJson } from '../middleware/parse-json.ts'

/** The fields of a JSON body that hold a content; `text` is stored as UTF-8. */
export type ContentField = 'text' | 'content_base64' | 'audio_base64'

export interface JsonUpload {
  /** The body without its contents. */
  json: unknown
  contents: Partial<Record<ContentField, ReceivedContent>>
  /** The field `documents`, each split likewise. */
  documents?: JsonUpload[]
}

const READERS: Record<ContentField, (text: string) => Uint8Array> = {
  text: text => Buffer.from(text, 'utf8'),
  content_base64: text => readBase64(text, '/content_base64'),
  audio_base64: text => readBase64(text, '/audio_base64'),
}

/** Splits a JSON body into contents, as bytes, and the rest. Throws ValidationError with the problem and its place. */
export function parseJsonUpload(body: Uint8Array): JsonUpload {
  const json = parseJson(body)
  if (!isObject(json) || !Array.isArray(json['documents'])) return split(json)
  return { json, contents: {}, documents: json['documents'].map(splitDocument) }
}

/** A content that cannot be decoded stays where it is, and the schema refuses this document only. */
function splitDocument(json: unknown): JsonUpload {
  try {
    return split(json)
  } catch (error) {
    if (error instanceof ValidationError) return { json, contents: {} }
    throw error
  }
}

function split(json: unknown): JsonUpload {
  const contents: JsonUpload['contents'] = {}
  if (!isObject(json)) return { json, contents }
  const rest: Record<string, unknown> = { ...json }
  for (const field of ['text', 'content_base64', 'audio_base64'] as const) {
    const given = rest[field]
    // The schema refuses a value that is not a string.
    if (typeof given !== 'string') continue
    delete rest[field]
    const bytes = READERS[field](given)
    contents[field] = { bytes, sha256: hash('sha256', bytes) }
  }
  return { json: rest, contents }
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function readBase64(text: string, pointer: string): Uint8Array {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  throw new ValidationError(`Invalid request: ${pointer} is not base64`, [
    { pointer, message: 'is not base64 (RFC 4648, without line breaks)' },
  ])
}
