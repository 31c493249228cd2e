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
 * Returns the place for a new resource. The requested scope takes precedence, then the `brain_id` field, then the
 * request's brain. Throws Forbidden for the scope `core`, and for the scope `brain` without a brain.
 */
export function placeNew(principal: Principal, { scope, brain_id }: WantedPlace): Place {
  if (scope !== undefined) return placeInScope(principal, scope, brain_id)
  return placeInBrain(brain_id === undefined ? contextBrain(principal) : brain_id)
}

/**
 * Returns the requested head with the place that it specifies. If the scope changes, the scope takes precedence over
 * the brain. Other values are not checked. Throws the same errors as `placeNew`.
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
  if (scope === 'core') throw new Forbidden('Resources with scope core belong to the service')
  if (scope !== 'brain') return { scope, brain_id: null }
  const brain = brain_id ?? contextBrain(principal)
  if (brain === null) throw new Forbidden('The scope brain requires a brain: set X-Brain-Id or brain_id')
  return { scope, brain_id: brain }
}

const placeInBrain = (brain_id: string | null): Place => ({
  scope: brain_id === null ? 'workspace' : 'brain',
  brain_id,
})
