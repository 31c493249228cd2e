import type { Route } from '../../api/routing/route.ts'
import {
  type CredentialKind,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLE_NAMES,
  ROLES,
} from '../../domain/access/permissions.ts'
import { code, renderTable } from './regions.ts'

const CREDENTIALS: Record<CredentialKind, string> = {
  api_key: 'API key',
  session: 'session',
  publishable_key: 'user token',
  share_token: 'share token',
  access_token: 'access token',
}

/** Renders the permissions of each role. */
export const renderRoles = (): string =>
  renderTable(
    ['Permission', ...ROLE_NAMES],
    PERMISSIONS.map(permission => [code(permission)].concat(ROLE_NAMES.map(role => markOf(role, permission)))),
  )

const markOf = (role: Role, permission: Permission) =>
  (ROLES[role] as readonly Permission[]).includes(permission) ? 'yes' : ''

/** Renders every route with its permission and credentials, with one table per tag in the OpenAPI document. */
export function renderRoutes(routes: readonly Route[]): string {
  const byTag = Map.groupBy(
    routes.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)),
    ({ tag }) => tag,
  )
  return [...byTag]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([tag, group]) => `### ${tag}\n\n${renderTable(['Route', 'Permission', 'Credentials'], group.map(toRow))}`)
    .join('\n\n')
}

const toRow = ({ method, path, access: { permission, credentials } }: Route) => [
  code(`${method.toUpperCase()} ${path}`),
  permission ? code(permission) : '',
  credentials.map(kind => CREDENTIALS[kind]).join(', '),
]
