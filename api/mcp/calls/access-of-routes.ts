import type { Permission } from '../../../domain/access/permissions.ts'
import type { Effect, Route } from '../../routing/route.ts'

/** What a route asks of its callers, and whether it writes. */
export interface AccessOfRoute {
  permission: Permission | null
  effect: Effect
}

/** Finds what a route asks, by its name. Throws for a name that no route has. */
export type AccessOfRoutes = (name: Route['name']) => AccessOfRoute

/** So that a tool needs no declaration of its own, which could differ from that of the route. */
export function createAccessOfRoutes(routes: () => Route[]): AccessOfRoutes {
  let byName: Map<string, AccessOfRoute> | undefined
  return name => {
    byName ??= new Map(routes().map(({ name, access, effect }) => [name, { permission: access.permission, effect }]))
    const routeAccess = byName.get(name)
    if (!routeAccess) throw new Error(`no route ${name}`)
    return routeAccess
  }
}
