import { createHmac } from 'node:crypto'
import type { FoundCredential } from '../../data/access/credentials-store.ts'
import type { Member } from '../../data/access/members-store.ts'
import {
  type CredentialKind,
  BOUND_KEY_PERMISSIONS,
  KEY_PERMISSIONS,
  type Permission,
  type Role,
  ROLE_NAMES,
  ROLES,
  SCOPE_NAMES,
  SCOPES,
  expandKeyPermissions,
} from '../../domain/access/permissions.ts'
import { AuthRequired, Forbidden } from '../../domain/shared/errors.ts'
import { union } from '../../domain/people/handling.ts'
import { type BrainContext, type Principal, buildVisitorName } from '../../domain/access/principal.ts'
import type { SharedTarget, ShareRight } from '../../domain/access/share-rights.ts'

/** What a request presents to show who sends it. */
export interface PresentedCredential {
  kind: CredentialKind
  token: string
  /** Beside a publishable key: the JWT of the user. */
  userToken?: string
  /** For an access token: the path that it is to open. */
  path?: string
}

/** What a share token opens, and for what. */
export interface Share {
  type: SharedTarget
  id: string
  rights: ReadonlySet<ShareRight>
  /** What its creator could do. The runs of the visitors have their rights from here. */
  permissions: ReadonlySet<Permission>
}

/** An authenticated caller: who it is and how it proved that. */
export interface Caller {
  principal: Principal
  kind: CredentialKind
  /** Present for a member. */
  role?: Role
  /** Present for an access token: what the client may do of that which its user may do. */
  scopes?: readonly string[]
  /** Present for a visitor with a share token. */
  share?: Share
  /** Present for a session: the text that changing requests must send. */
  csrf_token?: string
  /** ISO 8601. Absent for a credential without an end. */
  expires_at?: string
}

type WorkspaceCredential = FoundCredential & { workspace_id: string }

/**
 * A caller with an API key: the permissions of the key, within the role of the person that it acts as or belongs to. Throws
 * AuthRequired when that person is no longer a member.
 */
export function keyCaller(key: WorkspaceCredential): Caller {
  if (key.member_role === null && (key.actor ?? key.owner) !== null)
    throw new AuthRequired('The API key is not of a member of the workspace')
  const permissions = key.permissions ? expandKeyPermissions(key.permissions) : key.brain_ids ? OF_BOUND_KEYS : OF_KEYS
  const actor = getKeyActor(key)
  return {
    kind: 'api_key',
    principal: buildPrincipal(key, {
      actor,
      person: key.owner ?? actor,
      people: union([key.owner ?? actor, actor], key.makers),
      groups: [...new Set([...key.groups, ...key.member_groups])],
      permissions: key.member_role === null ? permissions : permissions.intersection(ofRole(key.member_role)),
    }),
    expires_at: key.expires_at ?? undefined,
  }
}

/** A signed-in member. Throws AuthRequired when the person is no longer a member. */
export function sessionCaller(session: WorkspaceCredential, csrf_token: string): Caller {
  const { actor, member_role: role, member_groups: groups } = session
  if (actor === null || role === null) throw new AuthRequired('The session is not of a member of the workspace')
  return { ...memberCaller(session, { actor, role, groups }, 'session'), csrf_token }
}

/** A member whom a publishable key and a user token bring. Throws Forbidden for other people. */
export function userCaller(key: WorkspaceCredential, actor: string, member: Member | undefined): Caller {
  if (!member) throw new Forbidden(`${actor} is not a member of the workspace`)
  return memberCaller(key, member, 'publishable_key')
}

/** A member who has given a client an access token: the permissions of the role, within the scopes of the token. */
export function clientCaller(
  { workspace, client_id, scopes, expires_at }: TokenGrant,
  { actor, role, groups }: Member,
): Caller {
  const permissions = new Set<Permission>(
    SCOPE_NAMES.filter(name => scopes.includes(name)).flatMap(name => SCOPES[name]),
  )
  return {
    kind: 'access_token',
    role,
    scopes,
    principal: {
      workspace_id: workspace.id,
      workspace_slug: workspace.slug,
      key_id: `oauth:${client_id}`,
      actor,
      person: actor,
      people: [actor],
      groups,
      permissions: ofRole(role).intersection(permissions),
      brain_ids: null,
      brain: { id: workspace.default_brain_id, isExplicit: false },
      is_user: true,
    },
    expires_at,
  }
}

/** What an access token says, of which workspace and until when (ISO 8601). */
export interface TokenGrant {
  workspace: { id: string; slug: string; default_brain_id: string }
  client_id: string
  scopes: readonly string[]
  expires_at: string
}

function memberCaller(credential: WorkspaceCredential, { actor, role, groups }: Member, kind: CredentialKind): Caller {
  return {
    kind,
    role,
    principal: {
      ...buildPrincipal(credential, { actor, person: actor, people: [actor], groups, permissions: ofRole(role) }),
      is_user: true,
    },
    expires_at: credential.expires_at ?? undefined,
  }
}

/** A visitor with a share token, who sees the brain of its target only. */
export function visitorCaller(token: WorkspaceCredential): Caller {
  const { target_type: type, target_id: id } = token
  if (type === null || id === null) throw new AuthRequired()
  const actor = buildVisitorName(token.id)
  const people = [actor, ...token.makers]
  const principal = buildPrincipal(token, { actor, person: actor, people, groups: [], permissions: NONE })
  const brain: BrainContext = { id: principal.brain?.id ?? null, isExplicit: true }
  return {
    kind: 'share_token',
    principal: { ...principal, brain, labels: ['visitor'] },
    share: { type, id, rights: new Set(token.rights), permissions: new Set(token.permissions) },
    expires_at: token.expires_at ?? undefined,
  }
}

/** A key with an actor acts as that one, another as itself. */
export const getKeyActor = (key: { actor: string | null; name: string }): string => key.actor ?? `key:${key.name}`

/** The text that changing requests of a session must send. It shows that the sender can read responses. */
export const computeCsrfToken = (sessionToken: string, secret: string): string =>
  createHmac('sha256', secret).update(`csrf ${sessionToken}`).digest('base64url')

const NONE: ReadonlySet<Permission> = new Set()
const OF_KEYS: ReadonlySet<Permission> = new Set(KEY_PERMISSIONS)
const OF_BOUND_KEYS: ReadonlySet<Permission> = new Set(BOUND_KEY_PERMISSIONS)
const SETS = new Map(ROLE_NAMES.map(role => [role, new Set<Permission>(ROLES[role])]))
const ofRole = (role: Role): ReadonlySet<Permission> => SETS.get(role) ?? NONE

function buildPrincipal(
  credential: WorkspaceCredential,
  identity: Pick<Principal, 'actor' | 'person' | 'people' | 'groups' | 'permissions'>,
): Principal {
  return {
    workspace_id: credential.workspace_id,
    workspace_slug: credential.workspace_slug,
    key_id: credential.id,
    ...identity,
    brain_ids: credential.brain_ids,
    brain: findDefaultBrain(credential),
  }
}

/**
 * Returns the brain in which a credential works unless a request names another one: its own default, the only brain that
 * it is bound to, or the default of the workspace. Undefined when it may not access that one.
 */
function findDefaultBrain(credential: FoundCredential): BrainContext | undefined {
  const { default_brain_id, brain_ids, workspace_brain_id } = credential
  const [only, ...others] = brain_ids ?? []
  const id = default_brain_id ?? (only !== undefined && others.length === 0 ? only : workspace_brain_id)
  return brain_ids === null || brain_ids.includes(id) ? { id, isExplicit: false } : undefined
}
