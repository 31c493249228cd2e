/** All permissions that a caller can have. Each route requires at most one permission. */
export const PERMISSIONS = [
  'resources:read',
  'resources:write',
  'conversations:read',
  'conversations:write',
  'jobs:read',
  'jobs:start',
  'definitions:run',
  'jobs:control',
  'interventions:read',
  'interventions:answer',
  'tools:call',
  'usage:read',
  'activity:read',
  'shares:manage',
  'webhooks:manage',
  'secrets:manage',
  'payloads:decode',
  'members:provision',
  'access:manage',
  'owners:manage',
] as const
export type Permission = (typeof PERMISSIONS)[number]

const VIEWER = ['resources:read', 'conversations:read', 'jobs:read', 'interventions:read'] as const
const REVIEWER = [...VIEWER, 'interventions:answer', 'conversations:write'] as const
const OPERATOR = [...REVIEWER, 'jobs:start', 'jobs:control', 'tools:call', 'usage:read', 'activity:read'] as const
const BUILDER = [
  ...REVIEWER,
  'resources:write',
  'jobs:start',
  'definitions:run',
  'jobs:control',
  'tools:call',
  'usage:read',
] as const

/** Permissions of workspace members, by role. */
export const ROLES = {
  /** Can also change the owners. */
  owner: PERMISSIONS,
  /** Manages members, credentials and secrets. */
  admin: PERMISSIONS.filter(permission => permission !== 'owners:manage'),
  /** Builds agents, workflows and all other resources, and runs them. */
  builder: [...BUILDER, 'shares:manage', 'webhooks:manage'],
  /** Starts and controls runs, and reads usage and the audit trail. */
  operator: [...OPERATOR, 'payloads:decode'],
  /** Answers tasks and chats. */
  reviewer: REVIEWER,
  viewer: VIEWER,
} as const satisfies Record<string, readonly Permission[]>
export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]]

/** Where a member's group comes from, if it was not set by hand: claims at sign-in, or SCIM. */
export const GROUP_SOURCES = ['oidc', 'scim'] as const
export type GroupSource = (typeof GROUP_SOURCES)[number]
/** Where a member's role comes from. */
export const ROLE_SOURCES = ['manual', ...GROUP_SOURCES] as const
export type RoleSource = (typeof ROLE_SOURCES)[number]

/** Roles that can manage the access of other members. */
export const MANAGING_ROLES = ROLE_NAMES.filter(role =>
  (ROLES[role] as readonly Permission[]).includes('access:manage'),
)

/** Permissions that an API key has only if they are granted explicitly. */
const GIVEN_BY_NAME = new Set<Permission>([
  'secrets:manage',
  'payloads:decode',
  'members:provision',
  'access:manage',
  'owners:manage',
])

/** Permissions of an API key that was created without a list of permissions. */
export const KEY_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(permission => !GIVEN_BY_NAME.has(permission))

/**
 * All permissions that a key limited to certain brains can have. Listing share tokens is excluded: that list covers
 * the whole workspace.
 */
export const BOUND_KEY_PERMISSIONS: readonly Permission[] = KEY_PERMISSIONS.filter(
  permission => permission !== 'shares:manage',
)

/**
 * Expands the permissions listed for an API key. A key that can save a definition and run it can also run unsaved
 * definitions.
 */
export const expandKeyPermissions = (permissions: readonly Permission[]): ReadonlySet<Permission> =>
  new Set(permissions.includes('resources:write') ? [...permissions, 'definitions:run'] : permissions)

/** Ways in which a caller can authenticate. */
export const CREDENTIAL_KINDS = ['api_key', 'session', 'publishable_key', 'share_token', 'access_token'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/**
 * Kinds of rows in the credentials table. A sign-in link is exchanged for a session. A hook token is the secret part
 * of a trigger's URL.
 */
export const STORED_KINDS = [
  'api_key',
  'session',
  'publishable_key',
  'share_token',
  'sign_in_link',
  'hook_token',
] as const
export type StoredKind = (typeof STORED_KINDS)[number]

/** OAuth scopes of access tokens. A scope limits a client to a subset of its user's permissions. */
export const SCOPES = {
  'mcp:read': VIEWER,
  'mcp:write': PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>
export const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[]
