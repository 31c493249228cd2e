import { createHmac } from 'node:crypto'
import type { FoundCredential, GrantingCredential } from '../../data/access/credentials-store.ts'
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
import { buildChannelCredential } from '../../domain/channels/channel.ts'
import { union } from '../../domain/people/handling.ts'
import { type BrainContext, type Principal, buildVisitorName } from '../../domain/access/principal.ts'
import type { SharedTarget, ShareRight } from '../../domain/access/share-rights.ts'

/** The credentials that a request presents. */
export interface PresentedCredential {
  kind: CredentialKind
  token: string
  /** The user's JWT, sent with a publishable key. */
  userToken?: string
  /** The requested path. Set for an access token. */
  path?: string
}

/** A share token's target and rights. */
export interface Share {
  type: SharedTarget
  id: string
  rights: ReadonlySet<ShareRight>
  /** Permissions of the token's creator. Visitors' runs get their rights from these permissions. */
  permissions: ReadonlySet<Permission>
  /** Other sites whose pages may use the token. */
  allowed_origins: ReadonlySet<string>
}

/** An authenticated caller: its identity and how it was authenticated. */
export interface Caller {
  principal: Principal
  kind: CredentialKind
  /** Present for a member. */
  role?: Role
  /** Present for an access token. Limits what the client may do on behalf of its user. */
  scopes?: readonly string[]
  /** Present for a visitor with a share token. */
  share?: Share
  /** Present for a session. Write requests must send this token. */
  csrf_token?: string
  /** ISO 8601. Absent for a credential that does not expire. */
  expires_at?: string
  basis: CallerBasis
}

/** The stored values from which the caller's permissions, groups and brains derive, as text. */
interface CallerBasis {
  /** Present for a stored credential. */
  credential?: string
  /** Present if the credential doesn't name the member. */
  member?: string
}

export const describeCredential = (credential: GrantingCredential): string => {
  const { permissions, groups, brain_ids, member_role, member_groups } = credential
  return JSON.stringify([permissions, groups, brain_ids, member_role, member_groups])
}

export const describeMember = ({ role, groups }: MemberRights): string => JSON.stringify([role, groups])

type WorkspaceCredential = FoundCredential & { workspace_id: string }

/**
 * Returns the caller for an API key: the key's permissions, limited by the role of the person that the key acts as or
 * belongs to. Throws AuthRequired if that person is no longer a member.
 */
export function keyCaller(key: WorkspaceCredential): Caller {
  if (key.member_role === null && (key.actor ?? key.owner) !== null)
    throw new AuthRequired('The owner of this API key is not a member of the workspace')
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
    basis: { credential: describeCredential(key) },
  }
}

/** Returns the caller for a session. Throws AuthRequired if the person is no longer a member. */
export function sessionCaller(session: WorkspaceCredential, csrf_token: string): Caller {
  const { actor, member_role: role, member_groups: groups } = session
  if (actor === null || role === null)
    throw new AuthRequired('The user of this session is not a member of the workspace')
  return { ...memberCaller(session, { actor, role, groups }, 'session'), csrf_token }
}

/** Returns the caller for a publishable key and a user token. Throws Forbidden if the user is not a member. */
export function userCaller(key: WorkspaceCredential, actor: string, member: Member | undefined): Caller {
  if (!member) throw new Forbidden(`${actor} is not a member of the workspace`)
  const caller = memberCaller(key, member, 'publishable_key')
  return { ...caller, basis: { ...caller.basis, member: describeMember(member) } }
}

/**
 * Returns the caller for an access token that a member granted to a client: the role's permissions, limited to the
 * token's scopes.
 */
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
    basis: { member: describeMember({ actor, role, groups }) },
  }
}

/**
 * Returns the principal for a member who answers from a channel. The credential id names the channel, so that the
 * audit log and evidence record it.
 */
export const buildChannelPrincipal = (
  workspace: PrincipalWorkspace,
  channel: PrincipalChannel,
  { actor, role, groups }: Member,
): Principal => ({
  ...buildChannelSender(workspace, channel, actor),
  groups,
  permissions: ofRole(role),
  brain_ids: null,
  brain: { id: workspace.default_brain_id, isExplicit: false },
  is_user: true,
})

/** Returns the principal for a person without an account who writes to a receptor: a visitor, as with a share token. */
export const buildGuestPrincipal = (
  workspace: PrincipalWorkspace,
  channel: PrincipalChannel,
  { actor, brain_id }: { actor: string; brain_id: string | null },
): Principal => ({
  ...buildChannelSender(workspace, channel, actor),
  groups: [],
  permissions: NONE,
  brain_ids: brain_id === null ? null : [brain_id],
  brain: { id: brain_id ?? workspace.default_brain_id, isExplicit: true },
  labels: ['visitor'],
})

interface PrincipalWorkspace {
  id: string
  slug: string
  default_brain_id: string
}

interface PrincipalChannel {
  channelId: string
  /** Everyone who has set the channel's credentials, and who could therefore forge its requests. */
  makers: string[]
}

const buildChannelSender = (workspace: PrincipalWorkspace, { channelId, makers }: PrincipalChannel, actor: string) => ({
  workspace_id: workspace.id,
  workspace_slug: workspace.slug,
  key_id: buildChannelCredential(channelId),
  actor,
  person: actor,
  people: union([actor], makers),
})

/** The claims of an access token, plus its workspace and expiry (ISO 8601). */
export interface TokenGrant {
  workspace: { id: string; slug: string; default_brain_id: string }
  client_id: string
  scopes: readonly string[]
  expires_at: string
}

/** The fields of a member that decide what the member may do. */
type MemberRights = Pick<Member, 'actor' | 'role' | 'groups'>

function memberCaller(
  credential: WorkspaceCredential,
  { actor, role, groups }: MemberRights,
  kind: CredentialKind,
): Caller {
  return {
    kind,
    role,
    principal: {
      ...buildPrincipal(credential, { actor, person: actor, people: [actor], groups, permissions: ofRole(role) }),
      is_user: true,
    },
    expires_at: credential.expires_at ?? undefined,
    basis: { credential: describeCredential(credential) },
  }
}

/** Returns the caller for a share token: a visitor who sees only the target's brain. */
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
    share: {
      type,
      id,
      rights: new Set(token.rights),
      permissions: new Set(token.permissions),
      allowed_origins: new Set(token.allowed_origins),
    },
    expires_at: token.expires_at ?? undefined,
    basis: { credential: describeCredential(token) },
  }
}

/** Returns the key's actor, or an actor derived from the key's name if it has none. */
export const getKeyActor = (key: { actor: string | null; name: string }): string => key.actor ?? `key:${key.name}`

/** Computes the token that a session's write requests must send. It proves that the sender can read responses. */
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
 * Returns a credential's default brain: its own default, the only brain that it is bound to, or the workspace
 * default. Undefined if the credential may not access that brain.
 */
function findDefaultBrain(credential: FoundCredential): BrainContext | undefined {
  const { default_brain_id, brain_ids, workspace_brain_id } = credential
  const [only, ...others] = brain_ids ?? []
  const id = default_brain_id ?? (only !== undefined && others.length === 0 ? only : workspace_brain_id)
  return brain_ids === null || brain_ids.includes(id) ? { id, isExplicit: false } : undefined
}
