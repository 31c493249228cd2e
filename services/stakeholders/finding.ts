import type { Tx } from '../../data/shared/database.ts'
import type { Resource } from '../../data/resources/resources-store.ts'
import { findDefaultMapId } from '../../data/stakeholders/stakeholder-maps-store.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { StakeholderMap } from '../../domain/resources/stakeholder-map.ts'
import { contextBrain } from '../access/brains.ts'
import { getHead, getVersion } from '../resources/finding.ts'
import { buildSnapshot } from '../resources/views.ts'

export const MAP_KIND = 'stakeholder_maps'

/**
 * Returns a map's head. Without an id, returns the head of the brain context's default map. Throws NotFound and
 * Forbidden.
 */
export async function getMap(tx: Tx, principal: Principal, resourceId?: string): Promise<Resource> {
  if (resourceId !== undefined) return getHead(tx, principal, { kind: MAP_KIND, idOrSlug: resourceId })
  const brain = contextBrain(principal)
  const id = brain === null ? null : await findDefaultMapId(tx, brain)
  if (id === null) throw new NotFound('A default map of the brain')
  return getHead(tx, principal, { kind: MAP_KIND, idOrSlug: id })
}

/** Returns a map as of a given version. Throws NotFound. */
export async function getState(tx: Tx, head: Resource, version: number | 'live'): Promise<Resource> {
  return version === 'live' || version === head.version
    ? head
    : buildSnapshot(head, await getVersion(tx, head, version))
}

export const getMapDocument = ({ document }: Pick<Resource, 'document'>): StakeholderMap => document as StakeholderMap
