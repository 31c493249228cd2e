import { brainsAmong } from '../../data/access-store.ts'
import type { Tx } from '../../data/database.ts'
import type { NewResource, Resource } from '../../data/resources-store.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { Problem } from '../../domain/json.ts'
import { prefixPointers } from '../../domain/json-pointer.ts'
import { ROOT } from '../../domain/paths.ts'
import type { Principal } from '../../domain/principal.ts'
import { noteProblems } from '../../domain/resources/checking.ts'
import type { Document, KindDefinition } from '../../domain/resources/kind.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Editable } from '../../domain/resources/patching.ts'
import { slugOf } from '../../domain/slug.ts'
import type { Checker } from './checker.ts'
import { requireWritable } from './finding.ts'
import type { KindRule, NewFields } from './types.ts'

/** What a save is checked by. */
export interface Checks {
  checker: Pick<Checker, 'check'>
  /** What only the rest of the workspace can tell about a document, by kind. */
  rules: Partial<Record<ResourceKind, KindRule>>
}

type Kind = KindDefinition<ResourceKind>

/** A new head of the fields, with what they leave out filled in. Throws what `check` throws. */
export async function newResource(
  tx: Tx,
  principal: Principal,
  id: string,
  kind: Kind,
  fields: NewFields,
  checks: Checks,
): Promise<NewResource> {
  const title = fields.title ?? fields.slug ?? ''
  const { slug = slugFor(title, kind, id), path = ROOT, is_active = true, document = {} } = fields
  const brain_id = fields.brain_id === undefined ? (principal.brain_id ?? null) : fields.brain_id
  const checked = await check(tx, principal, kind, { title, slug, path, brain_id, is_active, document }, checks, fields)
  return { id, kind: kind.kind, ...checked, scope: scopeOf(brain_id) }
}

/** What a title makes, or, where nothing of it can stay in a slug, the kind with a piece of the id. */
const slugFor = (title: string, { singular }: Kind, id: string): string =>
  slugOf(title) || (title.trim() === '' ? '' : distinct(singular.replaceAll('_', '-'), id))

/** A slug that no other resource has. */
export const distinct = (slug: string, id: string): string => `${slug.slice(0, 60)}-${id.slice(-8)}`

/** The head with the wanted values put in. Throws what `check` throws. */
export async function changedResource(
  tx: Tx,
  principal: Principal,
  kind: Kind,
  head: Resource,
  wanted: unknown,
  checks: Checks,
  note?: string,
): Promise<Resource> {
  const checked = await check(tx, principal, kind, wanted, checks, { head, note })
  return { ...head, ...checked, scope: scopeOf(checked.brain_id) }
}

export function editableOf({ title, slug, path, brain_id, is_active, document }: Resource): Editable {
  return { title, slug, path, brain_id, is_active, document }
}

/** Throws ValidationError with every problem by JSON pointer, and Forbidden for a brain out of reach. */
async function check(
  tx: Tx,
  principal: Principal,
  kind: Kind,
  wanted: unknown,
  checks: Checks,
  { head, note }: { head?: Resource; note?: string },
): Promise<Editable> {
  const checked = await checks.checker.check(wanted, kind)
  const problems = [...('problems' in checked ? checked.problems : []), ...noteProblems(note)]
  const document = documentOf(wanted)
  const rule = checks.rules[kind.kind]
  if (rule && document) problems.push(...prefixPointers('/document', await rule(tx, principal, document, head?.id)))
  if ('problems' in checked || problems.length > 0) throw refusal(kind, problems)
  const { brain_id } = checked.value
  if (brain_id !== head?.brain_id) await checkBrain(tx, principal, kind, brain_id)
  return checked.value
}

async function checkBrain(tx: Tx, principal: Principal, kind: Kind, brainId: string | null): Promise<void> {
  requireWritable(principal, brainId)
  if (brainId === null || (await brainsAmong(tx, [brainId])).has(brainId)) return
  throw refusal(kind, [{ pointer: '/brain_id', message: 'the brain does not exist' }])
}

const refusal = (kind: Kind, problems: Problem[]) =>
  new ValidationError(`The ${kind.singular.replaceAll('_', ' ')} has problems`, problems)

function documentOf(wanted: unknown): Document | undefined {
  const { document } = (wanted ?? {}) as { document?: unknown }
  return typeof document === 'object' && document !== null ? document : undefined
}

const scopeOf = (brainId: string | null): Resource['scope'] => (brainId === null ? 'workspace' : 'brain')
