import jsonPatch, { type Operation } from 'fast-json-patch'
import jsonMergePatch from 'json-merge-patch'
import { ValidationError } from '../shared/errors.ts'
import type { JsonObject, JsonValue } from '../shared/json/json.ts'
import { prefixPointers } from '../shared/json/json-pointer.ts'
import { isDeeplyStorable, UNSTORABLE } from '../shared/json/storable.ts'
import { PARSE_OPTIONS, zodProblems } from '../shared/zod-problems.ts'
import { displayName, type Document, type KindDefinition } from './kind.ts'
import type { Scope } from './scope.ts'

/** Head fields that a patch can change. */
export interface Editable {
  title: string
  slug: string
  path: string
  scope: Scope
  brain_id: string | null
  is_active: boolean
  document: Document
}

/** Head fields that can be changed together with a delta. */
export type HeadChange = Partial<Pick<Editable, 'title' | 'slug' | 'path' | 'scope' | 'is_active'>>

/** A change as RFC 6902 operations, an RFC 7396 merge patch, or a kind-specific delta. */
export type Change = { ops: Operation[] } | { merge: JsonObject } | ({ delta: JsonValue } & HeadChange)

/** Maximum JSON length of all copied values. A value copied into itself doubles each time. */
const MAX_COPIED_CHARS = 1_000_000
/** Maximum JSON length of a delta's operations. A longer delta lists only the changed fields. */
const MAX_DELTA_CHARS = 256_000

/**
 * Applies a change. The caller must validate the result like any other save. Throws ValidationError with the location
 * of the problem.
 */
export function applyChange(before: Editable, change: Change, kind: KindDefinition): unknown {
  if ('delta' in change) return applyDelta(before, change, kind)
  if (kind.delta?.isRequired)
    throw new ValidationError(`Use a delta to change a ${displayName(kind)}`, [
      { pointer: '/delta', message: 'is required' },
    ])
  if ('ops' in change) return applyOps(before, change.ops)
  return jsonMergePatch.apply(structuredClone(before), change.merge)
}

/** Throws ValidationError if a change sets a field derived from the content. */
export function protectContentFields(
  before: Editable,
  after: unknown,
  { contentFields = [] }: KindDefinition,
): unknown {
  const [old, now] = [before, after].map(head => findDocument(head))
  refuseContentFields(contentFields.filter(field => now && old?.[field] !== now[field]))
  return after
}

/** Throws ValidationError with the names of the given document fields, if there are any. */
export function refuseContentFields(fields: string[]): void {
  if (fields.length === 0) return
  const message = 'must not be set: it is derived from the content'
  const problems = fields.map(field => ({ pointer: `/document/${field}`, message }))
  throw new ValidationError(`Fields derived from the content must not be set: ${fields.join(', ')}`, problems)
}

function findDocument(head: unknown): Record<string, unknown> | undefined {
  const document = (head as { document?: unknown } | null)?.document
  return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : undefined
}

function applyOps(before: Editable, ops: Operation[]): Editable {
  let after = structuredClone(before)
  let copied = 0
  for (const [i, op] of ops.entries()) {
    try {
      if (op.op === 'copy') copied += JSON.stringify(jsonPatch.getValueByPointer(after, op.from) ?? null).length
      if (copied > MAX_COPIED_CHARS) throw new Error('the copied values are too large')
      after = jsonPatch.applyOperation(after, op, true, true, true, i).newDocument
    } catch (error) {
      throw new ValidationError(`Operation ${i} of the patch cannot be applied: ${describePatchError(error)}`, [
        { pointer: `/ops/${i}`, message: describePatchError(error) },
      ])
    }
  }
  return after
}

const REASONS: Record<string, string> = {
  TEST_OPERATION_FAILED: 'the test failed',
  OPERATION_PATH_UNRESOLVABLE: 'there is no value at path',
  OPERATION_FROM_UNRESOLVABLE: 'there is no value at from',
  OPERATION_PATH_CANNOT_ADD: 'the parent of path does not exist',
  OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'path must be an index of the array',
  OPERATION_VALUE_OUT_OF_BOUNDS: 'path is beyond the end of the array',
}

function describePatchError(error: unknown): string {
  if (error instanceof jsonPatch.JsonPatchError) return REASONS[error.name] ?? 'the operation is invalid'
  return error instanceof Error && error.message === 'the copied values are too large'
    ? error.message
    : 'it does not match the document'
}

function applyDelta(before: Editable, change: Extract<Change, { delta: unknown }>, kind: KindDefinition): Editable {
  const { delta: raw, title, slug, path, scope, is_active } = change
  const { delta } = kind
  if (!delta)
    throw new ValidationError(`A ${displayName(kind)} cannot be changed by a delta`, [
      { pointer: '/delta', message: 'must not be set for this kind' },
    ])
  const head = stripUndefined({ title, slug, path, scope, is_active })
  const parsed = delta.shape.safeParse(raw, PARSE_OPTIONS)
  if (!parsed.success)
    throw new ValidationError('The delta is invalid', prefixPointers('/delta', zodProblems(parsed.error)))
  if (delta.isEmpty?.(parsed.data) && Object.keys(head).length === 0)
    throw new ValidationError('The delta is invalid', [{ pointer: '/delta', message: 'must change something' }])
  if (!isDeeplyStorable(raw))
    throw new ValidationError('The delta is invalid', [{ pointer: '/delta', message: UNSTORABLE }])
  return { ...before, ...head, document: delta.apply(before.document, parsed.data) as Document }
}

export interface Delta {
  /** Names of the changed head and document fields. */
  changed: string[]
  /**
   * RFC 6902 operations from the previous version to this one. Absent if the operations are too long, or if `delta`
   * is set.
   */
  ops?: Operation[]
  /** The kind-specific delta that made the change, if there was one. Absent if the delta is too long. */
  delta?: JsonValue
}

/** Describes a change made by a delta. Compares the document fields as a whole, not their contents. */
export function describeDelta(before: Editable, after: Editable, delta: JsonValue): Delta {
  const { document: old, ...oldHead } = before
  const { document: now, ...newHead } = after
  const changedFields = [...listChanged(oldHead, newHead), ...listChanged(old, now)]
  return { changed: changedFields, ...(JSON.stringify(delta).length <= MAX_DELTA_CHARS && { delta }) }
}

/** Returns the names of fields whose values are not identical. */
function listChanged(before: object, after: object): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].filter(name => old.get(name) !== now.get(name))
}

/** Computes the delta from `before` to `after`. */
export function computeDelta(before: Editable, after: Editable): Delta {
  const ops = compare(before, after)
  const changedFields = new Set(ops.map(({ path }) => parseFieldName(path)))
  return { changed: [...changedFields], ...(JSON.stringify(ops).length <= MAX_DELTA_CHARS && { ops }) }
}

/** Returns the RFC 6902 operations that convert one value to another. */
export const compare = (before: object, after: object): Operation[] =>
  // An undefined field is absent, as in JSON.
  jsonPatch.compare(stripUndefined(before), stripUndefined(after))

const stripUndefined = (value: object): object => JSON.parse(JSON.stringify(value)) as object

/** Returns the document field of a pointer: `/document/stakeholders/3/name` returns `stakeholders`. */
function parseFieldName(path: string): string {
  const [, first = '', second] = path.split('/')
  return first === 'document' && second !== undefined ? second : first
}
