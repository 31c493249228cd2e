import type { Operation } from 'fast-json-patch'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { toPointer } from '../../domain/shared/zod-problems.ts'
import type { Document, KindDefinition } from '../../domain/resources/kind.ts'
import type { Delta } from '../../domain/resources/patching.ts'
import type { NewFields } from './saving.ts'

/**
 * Some kinds have a body that requests and responses call `snapshot`, separate from `document`. The body is stored
 * with the other document fields.
 */
type Kind = Pick<KindDefinition, 'singular' | 'snapshotFields'>

/** Returns the document to store. Throws ValidationError for misplaced fields. */
export function joinSnapshot(kind: Kind, { document, snapshot }: Pick<NewFields, 'document' | 'snapshot'>): unknown {
  const { snapshotFields = [] } = kind
  if (snapshotFields.length === 0) {
    if (snapshot === undefined) return document
    throw invalidResourceError(kind, [{ pointer: '/snapshot', message: 'must not be set for this kind' }])
  }
  const [ownFields, body] = [asObject(document ?? {}), asObject(snapshot ?? {})]
  if (!ownFields || !body)
    throw invalidResourceError(kind, [{ pointer: ownFields ? '/snapshot' : '/document', message: 'must be an object' }])
  const misplaced = Object.keys(ownFields).filter(field => snapshotFields.includes(field))
  const unknown = Object.keys(body).filter(field => !snapshotFields.includes(field))
  const problems = [
    ...misplaced.map(field => ({ pointer: `/document/${field}`, message: 'must be inside snapshot' })),
    ...unknown.map(field => ({ pointer: `/snapshot${toPointer([field])}`, message: 'is not a known field' })),
  ]
  if (problems.length > 0) throw invalidResourceError(kind, problems)
  return { ...ownFields, ...body }
}

/** Splits a stored document into the response fields `document` and `snapshot`. */
export function splitSnapshot(
  { snapshotFields = [] }: Kind,
  storedDocument: Document,
): { document: Document; snapshot?: Document } {
  if (snapshotFields.length === 0) return { document: storedDocument }
  const [inside, beside] = [true, false].map(isSnapshot =>
    Object.fromEntries(
      Object.entries(storedDocument).filter(([field]) => snapshotFields.includes(field) === isSnapshot),
    ),
  )
  return { document: beside as Document, snapshot: inside }
}

/** Translates a pointer into the stored document to a pointer into the response. */
export function translatePointer({ snapshotFields = [] }: Kind, pointer: string): string {
  const [, first, second = ''] = pointer.split('/')
  return first === 'document' && snapshotFields.includes(second) ? pointer.replace('/document/', '/snapshot/') : pointer
}

export const translateOperation = (kind: Kind, op: Operation): Operation => ({
  ...op,
  path: translatePointer(kind, op.path),
})

export const translateDelta = (kind: Kind, delta: Delta | null): Delta | null =>
  delta?.ops ? { ...delta, ops: delta.ops.map(op => translateOperation(kind, op)) } : delta

const asObject = (value: unknown): object | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

const invalidResourceError = ({ singular }: Kind, problems: Problem[]) =>
  new ValidationError(`The ${singular.replaceAll('_', ' ')} is invalid`, problems)
