import { isDeepStrictEqual } from 'node:util'
import { brainsAmong } from '../../data/access-store.ts'
import type { Tx } from '../../data/database.ts'
import type { NewResource, Resource } from '../../data/resources-store.ts'
import { Forbidden, ValidationError } from '../../domain/errors.ts'
import type { Problem } from '../../domain/json.ts'
import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import { validateDefinition } from '../../domain/pathway/validate.ts'
import type { Principal } from '../../domain/principal.ts'
import { slugOf } from '../../domain/slug.ts'
import type { PathwayDocument } from './document.ts'
import { definitionTextProblems, fieldProblems } from './fields.ts'
import { closeOver, referenceProblems } from './references.ts'
import type { PathwayFields } from './types.ts'

const AT = '/definition'

/** A pathway's fields as they are saved; throws what `checkSave` throws. */
export async function newPathway(
  tx: Tx,
  who: Principal,
  id: string,
  fields: PathwayFields & { definition: unknown },
): Promise<NewResource> {
  const title = fields.title ?? fields.slug ?? ''
  const slug = fields.slug ?? slugOf(title)
  const brain_id = fields.brain_id === undefined ? (who.brain_id ?? null) : fields.brain_id
  const { description = null, path = '/', is_active = true } = fields
  await checkSave(tx, who, { ...fields, title, slug, brain_id })
  const document: PathwayDocument = { description, definition: fields.definition as PathwayDefinition }
  return { id, kind: 'pathways', slug, title, path, brain_id, scope: scopeOf(brain_id), is_active, document }
}

/** The head with the given fields put in, and which of them say something new; throws what `checkSave` throws. */
export async function changedPathway(
  tx: Tx,
  who: Principal,
  head: Resource,
  fields: PathwayFields,
): Promise<{ next: Resource; changed: string[] }> {
  const { note: _note, ...wanted } = fields
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw new ValidationError('There is nothing to change')
  await checkSave(tx, who, fields, head.id)
  const before = { ...head, ...(head.document as PathwayDocument) }
  const after = { ...before, ...Object.fromEntries(given) } as typeof before
  const changed = given.filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof typeof before]))
  const { slug, title, path, brain_id, is_active, description, definition } = after
  const document: PathwayDocument = { description, definition }
  const next = { ...head, slug, title, path, brain_id, scope: scopeOf(brain_id), is_active, document }
  return { next, changed: changed.map(([field]) => field) }
}

/** Throws ValidationError with every problem of a definition by JSON pointer. */
export async function checkDefinition(tx: Tx, who: Principal, definition: unknown): Promise<PathwayDefinition> {
  refuse(await definitionProblems(tx, who, definition))
  return definition as PathwayDefinition
}

/** A credential bound to brains writes only what belongs to one of them. Throws Forbidden. */
export function requireWritable(who: Principal, brainId: string | null): void {
  if (who.brain_ids && (brainId === null || !who.brain_ids.includes(brainId))) throw new Forbidden()
}

/** Throws ValidationError with every problem by JSON pointer, and Forbidden for a brain out of reach. */
async function checkSave(tx: Tx, who: Principal, fields: PathwayFields, selfId?: string): Promise<void> {
  const problems = fieldProblems(fields)
  if (fields.definition !== undefined) problems.push(...(await definitionProblems(tx, who, fields.definition, selfId)))
  refuse(problems)
  const { brain_id } = fields
  if (brain_id === undefined) return
  requireWritable(who, brain_id)
  if (brain_id === null || (await brainsAmong(tx, [brain_id])).has(brain_id)) return
  throw new ValidationError('The pathway has problems', [{ pointer: '/brain_id', message: 'there is no such brain' }])
}

async function definitionProblems(tx: Tx, who: Principal, raw: unknown, selfId?: string): Promise<Problem[]> {
  const checked = validateDefinition(raw, { at: AT })
  const closure = await closeOver(tx, raw, who.brain_ids)
  const own = checked.ok ? definitionTextProblems(raw) : checked.problems
  return [...own, ...referenceProblems(raw, closure, AT, selfId)]
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new ValidationError('The pathway has problems', problems)
}

const scopeOf = (brainId: string | null): Resource['scope'] => (brainId === null ? 'workspace' : 'brain')
