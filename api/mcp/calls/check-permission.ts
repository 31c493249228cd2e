import { Forbidden } from '../../../domain/shared/errors.ts'
import type { Route } from '../../routing/route.ts'
import type { AccessOfRoutes } from './access-of-routes.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** Throws Forbidden if the caller may not call the route. */
export function checkPermission(
  accessOf: AccessOfRoutes,
  route: Route['name'],
  { principal: { permissions } }: Pick<Caller, 'principal'>,
): void {
  const { permission } = accessOf(route)
  if (permission !== null && !permissions.has(permission)) throw new Forbidden(`Missing permission "${permission}"`)
}
