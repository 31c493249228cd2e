/** What a caller may do. Each route needs one of them at most. */
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

/** The permissions of the members of a workspace, by role. */
export const ROLES = {
  /** Also changes who the owners are. */
  owner: PERMISSIONS,
  /** Manages members, credentials and secrets. */
  admin: PERMISSIONS.filter(permission => permission !== 'owners:manage'),
  /** Builds neurons, pathways and all other resources, and runs them. */
  builder: [...BUILDER, 'shares:manage', 'webhooks:manage'],
  /** Starts and controls runs, and reads usage and the audit trail. */
  operator: [...OPERATOR, 'payloads:decode'],
  /** Answers interventions and chats. */
  reviewer: REVIEWER,
  viewer: VIEWER,
} as const satisfies Record<string, readonly Permission[]>
export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]]

/** The roles of those who manage the access of others. */
export const MANAGING_ROLES = ROLE_NAMES.filter(role =>
  (ROLES[role] as readonly Permission[]).includes('access:manage'),
)

/** Permissions that an API key has only if they are given to it by name. */
const GIVEN_BY_NAME = new Set<Permission>(['secrets:manage', 'payloads:decode', 'access:manage', 'owners:manage'])

/** The permissions of an API key to which none are given. */
export const KEY_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(permission => !GIVEN_BY_NAME.has(permission))

/** All that a key bound to brains can have. The list of share tokens covers the whole workspace. */
export const BOUND_KEY_PERMISSIONS: readonly Permission[] = KEY_PERMISSIONS.filter(
  permission => permission !== 'shares:manage',
)

/**
 * The permissions of an API key to which these are given. One that may save a definition and run it may also run one that it
 * doesn't save.
 */
export const expandKeyPermissions = (permissions: readonly Permission[]): ReadonlySet<Permission> =>
  new Set(permissions.includes('resources:write') ? [...permissions, 'definitions:run'] : permissions)

/** How a caller proves who it is. */
export const CREDENTIAL_KINDS = ['api_key', 'session', 'publishable_key', 'share_token', 'access_token'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/**
 * The kinds of rows in the table of credentials. A sign-in link is exchanged for a session; a hook token is the secret part
 * of the address of a trigger.
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

/** The scopes of access tokens: what a client may do of that which its user may do. */
export const SCOPES = {
  'mcp:read': VIEWER,
  'mcp:write': PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>
export const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[]
