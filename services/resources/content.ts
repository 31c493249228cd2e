import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { findContent, saveContent } from '../../data/documents/contents-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { Conflict, PayloadTooLarge, ValidationError } from '../../domain/shared/errors.ts'
import type { Document, KindDefinition } from '../../domain/resources/kind.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { MAX_ARTIFACT_BYTES } from '../../domain/resources/kinds/artifacts.ts'
import { refuseContentFields } from '../../domain/resources/patching.ts'
import type { TextEdit } from '../../domain/resources/text-edits.ts'
import type { ContentChange } from '../../contract/resources/resource.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'

const SLICE_BYTES = 1_048_576

/** Computes the hash over several event loop turns. An asynchronous digest would copy all bytes first. */
export async function computeSha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    if (at > 0) await breathe()
    hash.update(bytes.subarray(at, at + SLICE_BYTES))
  }
  return hash.digest('hex')
}

/** Stores a new resource's text content and returns its document. Throws ValidationError and PayloadTooLarge. */
export async function storeContent(tx: Tx, kind: KindDefinition, document: unknown = {}): Promise<unknown> {
  if (!kind.contentFields || typeof document !== 'object' || document === null) return document
  refuseContentFields(kind.contentFields.filter(field => Object.hasOwn(document, field)))
  const { content, ...rest } = document as { content?: unknown }
  if (typeof content === 'string') return { ...rest, ...(await storeText(tx, content)) }
  throw new ValidationError(`The ${kind.singular} is invalid`, [
    { pointer: '/document/content', message: content === undefined ? 'is required' : 'must be a string' },
  ])
}

/** Stores a text and returns the document fields that refer to it. */
async function storeText(tx: Tx, text: string): Promise<{ sha256: string; size: number }> {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.byteLength > MAX_ARTIFACT_BYTES)
    throw new PayloadTooLarge(`The content must have at most ${MAX_ARTIFACT_BYTES} bytes`)
  const sha256 = await computeSha256(bytes)
  await saveContent(tx, { sha256, bytes })
  return { sha256, size: bytes.byteLength }
}

/** Edits a text. Throws ValidationError if an edit's old text does not match. */
export type EditText = (text: string, edits: TextEdit[]) => Promise<string>

/** Creates the `EditText` function. Long edits run in a separate thread so that they do not block other requests. */
export const createEditText =
  (evaluator: Evaluator, { workspace_id }: Principal): EditText =>
  async (before, edits) => {
    const edited = await evaluator.evaluate(workspace_id, 'applyEdits', before, edits)
    if ('text' in edited) return edited.text
    const { edit, message } = edited
    throw new ValidationError('An edit cannot be applied', [{ pointer: `/content/edits/${edit}/find`, message }])
  }

/** Applies a content change and returns the new document. Throws PayloadTooLarge and the errors of `edit`. */
export async function changeContent(
  tx: Tx,
  document: Document,
  change: ContentChange,
  edit: EditText,
): Promise<Document> {
  if ('replace' in change) return replaceContent(tx, document, change.replace)
  if ('append' in change) return appendContent(tx, document, change.append)
  return replaceContent(tx, document, await edit(await readText(tx, document), change.edits))
}

/** Replaces the content and returns the new document. Throws PayloadTooLarge. */
export const replaceContent = async (tx: Tx, document: Document, text: string): Promise<Document> => ({
  ...document,
  ...(await storeText(tx, text)),
})

/** Appends to the content and returns the new document. Throws PayloadTooLarge. */
export const appendContent = async (tx: Tx, document: Document, text: string): Promise<Document> =>
  replaceContent(tx, document, (await readText(tx, document)) + text)

async function readText(tx: Tx, document: Document): Promise<string> {
  const { sha256 = '' } = document as { sha256?: string }
  const bytes = await findContent(tx, sha256)
  if (!bytes) throw new Conflict('The content of this version was removed')
  return bytes.toString('utf8')
}
