import type { Route } from '../../api/routing/route.ts'
import {
  type CredentialKind,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLE_NAMES,
  ROLES,
} from '../../domain/access/permissions.ts'
import { code, renderGroups, renderTable } from './regions.ts'

/** Names of the credentials in the tables. */
export const CREDENTIAL_NAMES: Record<CredentialKind, string> = {
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
export const renderRoutes = (routes: readonly Route[]): string =>
  renderGroups(
    routes.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)),
    ({ tag }) => tag,
    ['Route', 'Permission', 'Credentials'],
    toRow,
  )

const toRow = ({ method, path, access: { permission, credentials } }: Route) => [
  code(`${method.toUpperCase()} ${path}`),
  permission ? code(permission) : '',
  credentials.map(kind => CREDENTIAL_NAMES[kind]).join(', '),
]
