import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { findContent, saveContent } from '../../data/contents-store.ts'
import type { Tx } from '../../data/database.ts'
import { Conflict, PayloadTooLarge, ValidationError } from '../../domain/errors.ts'
import type { Document, KindDefinition } from '../../domain/resources/kind.ts'
import { refuseContentFields } from '../../domain/resources/patching.ts'
import type { ContentChange } from './types.ts'

/** Maximum size of a content that is edited as text. */
const MAX_EDITED_BYTES = 5_000_000

const SLICE_BYTES = 1_048_576

/** Computes the hash in several turns of the event loop. An asynchronous digest would copy all bytes first. */
export async function computeSha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    if (at > 0) await breathe()
    hash.update(bytes.subarray(at, at + SLICE_BYTES))
  }
  return hash.digest('hex')
}

/** Stores a new resource's text content; returns its document. Throws ValidationError and PayloadTooLarge. */
export async function storeContent(tx: Tx, kind: KindDefinition, document: unknown = {}): Promise<unknown> {
  if (!kind.contentFields || typeof document !== 'object' || document === null) return document
  refuseContentFields(kind.contentFields.filter(field => Object.hasOwn(document, field)))
  const { content, ...rest } = document as { content?: unknown }
  if (typeof content === 'string') return { ...rest, ...(await storeText(tx, content)) }
  throw new ValidationError(`The ${kind.singular} has problems`, [
    { pointer: '/document/content', message: content === undefined ? 'is required' : 'must be a string' },
  ])
}

/** Stores a text and returns the fields of the document that refer to it. */
async function storeText(tx: Tx, text: string): Promise<{ sha256: string; size: number }> {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.byteLength > MAX_EDITED_BYTES)
    throw new PayloadTooLarge(`The content must have at most ${MAX_EDITED_BYTES} bytes`)
  const sha256 = await computeSha256(bytes)
  await saveContent(tx, { sha256, bytes })
  return { sha256, size: bytes.byteLength }
}

/** Applies a change of content and returns the new document. Throws ValidationError when an edit does not match. */
export async function changeContent(tx: Tx, document: Document, change: ContentChange): Promise<Document> {
  const before = 'replace' in change ? '' : await readText(tx, document)
  return { ...document, ...(await storeText(tx, applyContentChange(before, change))) }
}

async function readText(tx: Tx, document: Document): Promise<string> {
  const { sha256 = '' } = document as { sha256?: string }
  const bytes = await findContent(tx, sha256)
  if (!bytes) throw new Conflict('The content of this version no longer exists')
  return bytes.toString('utf8')
}

function applyContentChange(before: string, change: ContentChange): string {
  if ('replace' in change) return change.replace
  if ('append' in change) return before + change.append
  return change.edits.reduce((text, { find, replace }, i) => {
    const at = text.indexOf(find)
    const refuse = (message: string) =>
      new ValidationError('An edit cannot be applied', [{ pointer: `/content/edits/${i}/find`, message }])
    if (at === -1) throw refuse('does not occur in the content')
    if (text.includes(find, at + 1)) throw refuse('occurs more than once in the content')
    return text.slice(0, at) + replace + text.slice(at + find.length)
  }, before)
}
