import type { Tx } from '../../data/shared/database.ts'
import {
  findResource,
  findVersion,
  lockResource,
  type Resource,
  type ResourceVersion,
} from '../../data/resources/resources-store.ts'
import { Forbidden, NotFound } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { displayName } from '../../domain/resources/kind.ts'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'
import { checkWritable, visibleBrains } from '../access/brains.ts'

/** The column is a 32-bit integer. */
const MAX_VERSION = 2_147_483_647

export interface ResourceAddress {
  kind: ResourceKind
  idOrSlug: string
}

/** Returns the resource's head. Throws NotFound. */
export async function getHead(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: ResourceAddress,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await findResource(tx, { kind, idOrSlug, brain_ids: visibleBrains(principal) }, options)
  if (!head) throw notFoundError(kind)
  return head
}

/** Returns the head and locks its row, if the principal may write to it. Throws NotFound and Forbidden. */
export async function lockHead(
  tx: Tx,
  principal: Principal,
  { kind, idOrSlug }: ResourceAddress,
  options: { deleted?: boolean } = {},
): Promise<Resource> {
  const head = await lockResource(tx, { kind, idOrSlug, brain_ids: visibleBrains(principal) }, options)
  if (!head) throw notFoundError(kind)
  if (head.scope === 'core')
    throw new Forbidden(`This ${displayName(getResourceKind(kind))} belongs to the service and is read-only`)
  checkWritable(principal, head.brain_id)
  return head
}

/** Throws NotFound. */
export async function getVersion(tx: Tx, head: Resource, version: number): Promise<ResourceVersion> {
  const savedVersion = version <= MAX_VERSION ? await findVersion(tx, head.id, version) : undefined
  if (!savedVersion) throw new NotFound(`Version ${version}`)
  return savedVersion
}

/** Creates the error for an id or slug that matches no resource of this kind. */
export function notFoundError(kind: ResourceKind): NotFound {
  const name = displayName(getResourceKind(kind))
  return new NotFound(name.charAt(0).toUpperCase() + name.slice(1))
}
