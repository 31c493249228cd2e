import type { Tx } from '../../data/database.ts'
import {
  findResource,
  findVersion,
  lockResource,
  type Resource,
  type ResourceVersion,
} from '../../data/resources-store.ts'
import { Forbidden, NotFound } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { displayName } from '../../domain/resources/kind.ts'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'

/** Versions are 32-bit. */
const MAX_VERSION = 2_147_483_647

export interface ResourceAddress {
  kind: ResourceKind
  idOrSlug: string
}

/** The head as it is now. Throws NotFound. */
export async function getHeadOrThrow(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: ResourceAddress,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await findResource(tx, { kind, idOrSlug, brain_ids: principal.brain_ids }, options)
  if (!head) throw createNotFound(kind)
  return head
}

/** The head, held until the transaction ends, for somebody who may write it. Throws NotFound and Forbidden. */
export async function lockHead(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: ResourceAddress,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await lockResource(tx, { kind, idOrSlug, brain_ids: principal.brain_ids }, options)
  if (!head) throw createNotFound(kind)
  if (head.scope === 'core')
    throw new Forbidden(`This ${displayName(getResourceKind(kind))} belongs to the service and is read-only`)
  checkWritable(principal, head.brain_id)
  return head
}

/** Throws NotFound. */
export async function getVersionOrThrow(tx: Tx, head: Resource, version: number): Promise<ResourceVersion> {
  const saved = version <= MAX_VERSION ? await findVersion(tx, head.id, version) : undefined
  if (!saved) throw new NotFound(`Version ${version}`)
  return saved
}

/** A credential bound to brains writes only what belongs to one of them. Throws Forbidden. */
export function checkWritable(principal: Principal, brainId: string | null): void {
  if (principal.brain_ids && (brainId === null || !principal.brain_ids.includes(brainId))) throw new Forbidden()
}

/** The answer to an id or slug that names no resource of the kind. */
export function createNotFound(kind: ResourceKind): NotFound {
  const name = displayName(getResourceKind(kind))
  return new NotFound(name.charAt(0).toUpperCase() + name.slice(1))
}
