import type { Principal } from '../../domain/principal.ts'
import type { StoredPlan } from '../../data/plans-store.ts'
import type { CoreDefinition } from '../core/core.ts'
import type { KeyFields } from './key-fields.ts'

export interface AccessService {
  /** Resolves a bearer API key. Throws AuthRequired when it is missing, malformed, unknown, revoked or expired. */
  authenticate(bearer: string | undefined): Promise<Principal>
  /**
   * Returns the principal with the brain as its explicit context. Throws ValidationError for what is not a UUID or differs
   * from an explicit context that the principal has, and Forbidden for a brain that does not exist or is not permitted.
   */
  withBrain(principal: Principal, brainId: string | undefined): Promise<Principal>
  /** Returns the ids of those keys of a workspace that are no longer accepted. */
  findEndedKeys(workspaceId: string, keyIds: string[]): Promise<Set<string>>
}

/** The use cases of the command line, under the database role of the app. */
export interface AccessAdmin {
  /** Creates a workspace with its default brain and the given core resources. */
  createWorkspace(fields: {
    name: string
    slug?: string
    core?: CoreDefinition[]
    plan?: StoredPlan
  }): Promise<{ id: string; slug: string; brain_id: string }>
  /** Replaces the plan of a workspace. Requests have the new one within seconds. */
  setPlan(workspaceSlug: string, plan: StoredPlan): Promise<void>
  createBrain(workspaceSlug: string, fields: { name: string }): Promise<{ id: string }>
  /** Replaces the groups of a person. Keys of the person have the new groups within seconds. */
  setMember(workspaceSlug: string, fields: { actor: string; groups: string[] }): Promise<void>
  listMembers(workspaceSlug: string): Promise<{ actor: string; groups: string[] }[]>
  /** Returns the key in `api_key`. Only its HMAC is stored. */
  createApiKey(workspaceSlug: string, fields: KeyFields): Promise<{ id: string; api_key: string }>
  revokeApiKey(workspaceSlug: string, id: string): Promise<void>
  listApiKeys(workspaceSlug: string): Promise<
    {
      id: string
      name: string
      actor: string
      owner: string | null
      prefix: string
      brain_ids: string[] | null
      default_brain_id: string | null
      created_at: string
      expires_at: string | null
      revoked_at: string | null
    }[]
  >
}
