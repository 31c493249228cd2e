import { hash } from 'node:crypto'
import { decodeBase64 } from '../../domain/shared/text/base64.ts'
import { PayloadTooLarge, ValidationError } from '../../domain/shared/errors.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'
import { parseJson } from '../../domain/shared/json/parsing/parse-json.ts'
import type { ReceivedContent } from '../../contract/shared/upload.ts'

/** Fields of a JSON body that may contain the content. `text` is stored as UTF-8. */
export type ContentField = 'text' | 'content_base64' | 'audio_base64'

export interface JsonUpload {
  /** Body without its contents. */
  json: unknown
  contents: Partial<Record<ContentField, ReceivedContent>>
  /** Entries of the field `documents`, each split in the same way. */
  documents?: JsonUpload[]
}

const READERS: Record<ContentField, (text: string) => Uint8Array> = {
  text: text => Buffer.from(text, 'utf8'),
  content_base64: text => readBase64(text, '/content_base64'),
  audio_base64: text => readBase64(text, '/audio_base64'),
}

/**
 * Splits a JSON body into contents, as bytes, and the rest, which includes the text of an artifact. Throws
 * ValidationError with the problem and its pointer, and PayloadTooLarge if the body has more than `maxOtherBytes` in
 * addition to contents and texts.
 */
export function parseJsonUpload(body: Uint8Array, maxOtherBytes: number): JsonUpload {
  const json = parseJson(body)
  const upload = isObject(json) && Array.isArray(json['documents']) ? splitBatch(json, json['documents']) : split(json)
  if (body.byteLength > maxOtherBytes && measureOthers(upload) > maxOtherBytes)
    throw new PayloadTooLarge(`The body may have at most ${maxOtherBytes} bytes in addition to its content`)
  return upload
}

function splitBatch(body: Record<string, unknown>, documents: unknown[]): JsonUpload {
  const { documents: _, ...json } = body
  return { json, contents: {}, documents: documents.map(splitDocument) }
}

/** Splits one document. Content that cannot be decoded becomes null, so that the schema rejects only this document. */
function splitDocument(json: unknown): JsonUpload {
  try {
    return split(json)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { json: { ...(json as object), content_base64: null }, contents: {} }
  }
}

function measureOthers({ json, documents = [] }: JsonUpload): number {
  const otherSize = measureJson(json) - sum(listTexts(json).map(measureJson))
  return otherSize + sum(documents.map(measureOthers))
}

const measureJson = (json: unknown): number => Buffer.byteLength(JSON.stringify(json))
const sum = (numbers: number[]): number => numbers.reduce((total, next) => total + next, 0)

/** Returns the texts of an artifact, from each field that may contain them. */
function listTexts(json: unknown): string[] {
  if (!isObject(json)) return []
  const { content, document } = json
  const changedTexts = isObject(content)
    ? [content['replace'], content['append'], ...listEditTexts(content['edits'])]
    : []
  const texts = [content, ...changedTexts, isObject(document) && document['content']]
  return texts.filter(text => typeof text === 'string')
}

const listEditTexts = (edits: unknown): unknown[] =>
  Array.isArray(edits) ? edits.flatMap(edit => (isObject(edit) ? [edit['find'], edit['replace']] : [])) : []

function split(json: unknown): JsonUpload {
  const contents: JsonUpload['contents'] = {}
  if (!isObject(json)) return { json, contents }
  const rest: Record<string, unknown> = { ...json }
  for (const field of ['text', 'content_base64', 'audio_base64'] as const) {
    const value = rest[field]
    // The schema rejects values that are not strings.
    if (typeof value !== 'string') continue
    delete rest[field]
    const bytes = READERS[field](value)
    contents[field] = { bytes, sha256: hash('sha256', bytes) }
  }
  return { json: rest, contents }
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function readBase64(text: string, pointer: string): Uint8Array {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  throw invalidRequestError([{ pointer, message: 'must be in base64 (RFC 4648, without line breaks)' }])
}
