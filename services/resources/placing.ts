import type { Resource } from '../../data/resources/resources-store.ts'
import { Forbidden } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Scope } from '../../domain/resources/scope.ts'
import { contextBrain } from '../access/brains.ts'

export type Place = Pick<Resource, 'scope' | 'brain_id'>

interface WantedPlace {
  scope?: Scope
  brain_id?: string | null
}

/**
 * Returns where a new resource belongs: the place of its scope, else of its `brain_id`, else of the brain of the request.
 * Throws Forbidden for the scope `core`, and for the scope `brain` without a brain.
 */
export function placeNew(principal: Principal, { scope, brain_id }: WantedPlace): Place {
  if (scope !== undefined) return placeInScope(principal, scope, brain_id)
  return placeInBrain(brain_id === undefined ? contextBrain(principal) : brain_id)
}

/**
 * Returns the wanted head with the place that it describes: another scope decides, else the brain. The values are not
 * checked otherwise. Throws what `placeNew` throws.
 */
export function placeChanged(principal: Principal, before: Place, fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields
  const { scope, brain_id = null } = fields as WantedPlace
  const place =
    scope === undefined || scope === null || scope === before.scope
      ? placeInBrain(brain_id)
      : placeInScope(principal, scope, brain_id)
  return { ...fields, ...place }
}

function placeInScope(principal: Principal, scope: Scope, brain_id?: string | null): Place {
  if (scope === 'core') throw new Forbidden('Resources of the scope core belong to the service')
  if (scope !== 'brain') return { scope, brain_id: null }
  const brain = brain_id ?? contextBrain(principal)
  if (brain === null) throw new Forbidden('The scope brain needs a brain: X-Brain-Id or brain_id must name it')
  return { scope, brain_id: brain }
}

const placeInBrain = (brain_id: string | null): Place => ({
  scope: brain_id === null ? 'workspace' : 'brain',
  brain_id,
})
