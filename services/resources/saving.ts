import { findExistingBrains } from '../../data/access/access-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { NewResource, Resource } from '../../data/resources/resources-store.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { prefixPointers } from '../../domain/shared/json/json-pointer.ts'
import { ROOT } from '../../domain/resources/paths.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { type CheckResult, noteProblems } from '../../domain/resources/checking.ts'
import { displayName, type Document, type KindDefinition } from '../../domain/resources/kind.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Editable } from '../../domain/resources/patching.ts'
import { deriveSlug } from '../../domain/shared/text/slug.ts'
import type { Scope } from '../../domain/resources/scope.ts'
import { canWriteBrain, checkWritable, inBrain } from '../access/brains.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { placeNew, placeChanged } from './placing.ts'
import { translatePointer } from './snapshot.ts'

/** The fields of a new resource. `document` is not yet validated. By default, the slug is derived from the title. */
export interface NewFields {
  title?: string
  slug?: string
  path?: string
  scope?: Scope
  brain_id?: string | null
  is_active?: boolean
  document?: unknown
  /** The body of a stakeholder map. */
  snapshot?: unknown
  note?: string
}

/**
 * Validates a document against other resources in the workspace. Pointers are relative to the document. `place` is
 * where the resource will be stored, or absent if unknown.
 */
export type KindRule = (
  tx: Tx,
  principal: Principal,
  document: Document,
  selfId?: string,
  place?: { brain_id: string | null },
) => Promise<Problem[]>

/** The checks that run before a save. */
export interface Validation {
  /** Checks a head without reading other resources. */
  check(principal: Principal, fields: unknown, kind: Kind): CheckResult | Promise<CheckResult>
  /** Rules, by kind, that depend on other resources in the workspace. */
  rules: Partial<Record<ResourceKind, KindRule>>
}

type Kind = KindDefinition<ResourceKind>

/** Creates the check for user input. */
export const createCheck =
  (evaluator: Evaluator): Validation['check'] =>
  ({ workspace_id }, fields, { kind }) =>
    evaluator.evaluate(workspace_id, 'checkEditable', fields, kind)

/** Builds a new head from the given fields and the defaults. Throws the same errors as `validate`. */
export async function buildResource(
  tx: Tx,
  principal: Principal,
  id: string,
  kind: Kind,
  fields: NewFields,
  checks: Validation,
): Promise<NewResource> {
  const title = fields.title ?? fields.slug ?? ''
  const word = kind.singular.replaceAll('_', '-')
  const { slug = deriveSlug(title, word, id), path = ROOT, is_active = true, document = {} } = fields
  const resourceFields = { title, slug, path, ...placeNew(principal, fields), is_active, document }
  return { id, kind: kind.kind, ...(await validate(tx, principal, kind, resourceFields, checks, fields)) }
}

/** Builds the head with the edited values. Throws the same errors as `validate`. */
export async function buildChangedResource(
  tx: Tx,
  principal: Principal,
  kind: Kind,
  head: Resource,
  newFields: unknown,
  checks: Validation,
  note: string | undefined,
): Promise<Resource> {
  const placed = placeChanged(principal, head, newFields)
  return { ...head, ...(await validate(tx, principal, kind, placed, checks, { head, note })) }
}

/** Throws ValidationError and Forbidden if a deleted resource cannot be restored unchanged. */
export async function checkRestorable(
  tx: Tx,
  principal: Principal,
  kind: Kind,
  { id, document }: Resource,
  rules: Validation['rules'],
): Promise<void> {
  const problems = (await rules[kind.kind]?.(tx, principal, document, id)) ?? []
  if (problems.length > 0) throw problemsError(kind, prefixPointers('/document', problems))
}

export function toEditable({ title, slug, path, scope, brain_id, is_active, document }: Resource): Editable {
  return { title, slug, path, scope, brain_id, is_active, document }
}

/**
 * Throws ValidationError that lists every problem with its JSON pointer, and Forbidden for a brain that is not
 * writable.
 */
async function validate(
  tx: Tx,
  principal: Principal,
  kind: Kind,
  newFields: unknown,
  checks: Validation,
  { head, note }: { head?: Resource; note?: string },
): Promise<Editable> {
  const checked = await checks.check(principal, newFields, kind)
  const problems = [...('problems' in checked ? checked.problems : []), ...noteProblems(note)]
  const document = findDocument(newFields)
  const rule = checks.rules[kind.kind]
  if (rule && document) {
    const place = 'value' in checked ? checked.value : undefined
    const reader = place ? getReader(principal, place) : principal
    problems.push(...prefixPointers('/document', await rule(tx, reader, document, head?.id, place)))
  }
  if ('problems' in checked || problems.length > 0) throw problemsError(kind, problems)
  const { brain_id } = checked.value
  if (brain_id !== head?.brain_id) await checkBrain(tx, principal, kind, brain_id)
  return checked.value
}

/**
 * A resource in a brain may reference only what is visible from that brain, because the resource's runs see no more.
 */
const getReader = (principal: Principal, { brain_id }: Editable): Principal =>
  brain_id !== null && canWriteBrain(principal, brain_id) ? inBrain(principal, brain_id) : principal

async function checkBrain(tx: Tx, principal: Principal, kind: Kind, brainId: string | null): Promise<void> {
  checkWritable(principal, brainId)
  if (brainId === null || (await findExistingBrains(tx, [brainId])).has(brainId)) return
  throw problemsError(kind, [{ pointer: '/brain_id', message: 'the brain does not exist' }])
}

const problemsError = (kind: Kind, problems: Problem[]) =>
  new ValidationError(
    `The ${displayName(kind)} is invalid`,
    problems.map(({ pointer, message }) => ({ pointer: translatePointer(kind, pointer), message })),
  )

function findDocument(fields: unknown): Document | undefined {
  const { document } = (fields ?? {}) as { document?: unknown }
  return typeof document === 'object' && document !== null ? document : undefined
}
