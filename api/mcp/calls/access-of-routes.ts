import type { Permission } from '../../../domain/access/permissions.ts'
import type { Effect, Route } from '../../routing/route.ts'

/** The access rules of a route, and whether the route writes. */
export interface AccessOfRoute {
  permission: Permission | null
  effect: Effect
}

/** Returns a route's access rules by the route's name. Throws for an unknown name. */
export type AccessOfRoutes = (name: Route['name']) => AccessOfRoute

/** A tool uses the access rules of its route, because separately declared rules could diverge from them. */
export function createAccessOfRoutes(routes: () => Route[]): AccessOfRoutes {
  let byName: Map<string, AccessOfRoute> | undefined
  return name => {
    byName ??= new Map(routes().map(({ name, access, effect }) => [name, { permission: access.permission, effect }]))
    const routeAccess = byName.get(name)
    if (!routeAccess) throw new Error(`no route ${name}`)
    return routeAccess
  }
}
