import type { CredentialKind, Permission, Role } from '../../domain/access/permissions.ts'
import type { SharedTarget, ShareRight } from '../../domain/access/share-rights.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { StoredPlan } from '../../data/access/plans-store.ts'
import type { BrainRow } from '../../data/access/brains-store.ts'
import type { CoreDefinition } from '../shared/core.ts'
import type { KeyFields } from './credentials/key-fields.ts'

/** What a request presents to show who sends it. */
export interface Presented {
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

export interface AccessService {
  /** Throws AuthRequired for a credential that is malformed, unknown, revoked or expired. */
  authenticate(presented: Presented): Promise<Caller>
  /**
   * Returns the principal with the brain as its explicit context. Throws ValidationError for what is not a UUID or differs
   * from an explicit context that the principal has, and Forbidden for a brain that does not exist or is not permitted.
   */
  withBrain(principal: Principal, brainId: string | undefined): Promise<Principal>
  /** Returns the ids of those credentials of a workspace that are no longer accepted. */
  findEndedCredentials(workspaceId: string, credentialIds: string[]): Promise<Set<string>>
  /** Returns those people who are not members of a workspace. */
  findFormerMembers(workspaceId: string, actors: string[]): Promise<Set<string>>
}

/** Who manages the access to a workspace. */
export interface Manager {
  workspace_id: string
  actor: string
  person: string
  key_id: string
  /** True for a person with a session or a token, false for an API key. */
  is_user?: boolean
  groups?: readonly string[]
  /** What the manager may do, and so what it may give. Absent for the operator, who may do everything. */
  permissions?: ReadonlySet<Permission>
}

/** The use cases of the command line that have no route, under the database role of the app. */
export interface AccessAdmin {
  /** Returns the operator as the manager of a workspace. Throws NotFound. */
  manage(workspaceSlug: string): Promise<Manager>
  /** Creates a workspace with its default brain and the given core resources. */
  createWorkspace(fields: {
    name: string
    slug?: string
    core?: CoreDefinition[]
    plan?: StoredPlan
  }): Promise<{ id: string; slug: string; brain_id: string }>
  /** Replaces the plan of a workspace. Requests have the new one within seconds. */
  setPlan(workspaceSlug: string, plan: StoredPlan): Promise<void>
  /** Sets how many days votes are kept after their run is gone, at least 365. Null: without end. Throws ValidationError. */
  setEvidenceDays(workspaceSlug: string, days: number | null): Promise<void>
  createBrain(workspaceSlug: string, fields: { name: string }): Promise<{ id: string }>
  /** Makes a brain the default of the workspace, in which credentials work that have no default of their own. Throws NotFound. */
  setDefaultBrain(workspaceSlug: string, id: string): Promise<BrainRow>
  /** Lists the brains of a workspace, oldest first. */
  listBrains(workspaceSlug: string): Promise<BrainRow[]>
  /** Creates an API key. Returns its text in `api_key`. */
  createApiKey(workspaceSlug: string, fields: KeyFields): Promise<{ id: string; api_key: string }>
}
