import type { Tx } from '../../data/database.ts'
import {
  findResource,
  findVersion,
  holdResource,
  type Resource,
  type ResourceVersion,
} from '../../data/resources-store.ts'
import { Forbidden, NotFound } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { kindOf, type ResourceKind } from '../../domain/resources/kinds/index.ts'

/** Versions are 32-bit. */
const LAST_VERSION = 2_147_483_647

export interface Wanted {
  kind: ResourceKind
  idOrSlug: string
}

/** The head as it is now. Throws NotFound. */
export async function requireHead(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: Wanted,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await findResource(tx, { kind, idOrSlug, brain_ids: principal.brain_ids }, options)
  if (!head) throw missing(kind)
  return head
}

/** The head, held until the transaction ends, for somebody who may write it. Throws NotFound and Forbidden. */
export async function holdHead(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: Wanted,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await holdResource(tx, { kind, idOrSlug, brain_ids: principal.brain_ids }, options)
  if (!head) throw missing(kind)
  if (head.scope === 'core') throw new Forbidden(`This ${nameOf(kind)} belongs to the service and is read-only`)
  requireWritable(principal, head.brain_id)
  return head
}

/** Throws NotFound. */
export async function requireVersion(tx: Tx, head: Resource, version: number): Promise<ResourceVersion> {
  const saved = version <= LAST_VERSION ? await findVersion(tx, head.id, version) : undefined
  if (!saved) throw new NotFound(`Version ${version}`)
  return saved
}

/** A credential bound to brains writes only what belongs to one of them. Throws Forbidden. */
export function requireWritable(principal: Principal, brainId: string | null): void {
  if (principal.brain_ids && (brainId === null || !principal.brain_ids.includes(brainId))) throw new Forbidden()
}

const nameOf = (kind: ResourceKind): string => kindOf(kind).singular.replaceAll('_', ' ')

/** The answer to an id or slug that names no resource of the kind. */
export function missing(kind: ResourceKind): NotFound {
  const name = nameOf(kind)
  return new NotFound(name.charAt(0).toUpperCase() + name.slice(1))
}
