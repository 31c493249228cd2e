import type { Secret } from '../../../data/tools/secrets-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'

/** A secret of a workspace. The value is never shown. */
export interface SecretView extends Secret {
  /** Whether the operator has a secret of the same name for the workspace, which is used instead. */
  is_overridden: boolean
}

/** Secrets of workspaces, which tools and `http` nodes send by name. */
export interface SecretsService {
  list(principal: Principal, page: { limit: number; offset: number }): Promise<{ data: SecretView[]; total: number }>
  /**
   * Creates a secret, or replaces its value and hosts. Throws Conflict when the operator has a secret of the name for the
   * workspace, or the workspace cannot have more; Unavailable when no key is configured.
   */
  save(principal: Principal, name: string, fields: { value: string; hosts: string[] }): Promise<SecretView>
  /** Throws NotFound. */
  remove(principal: Principal, name: string): Promise<void>
}

/** Why a workspace cannot use a secret. */
export type SecretObstacle = 'no such secret' | 'not for this workspace' | 'cannot be decrypted'

export interface UsableSecret {
  value: string
  /** `host` or `host:port`, exactly as in the called URLs. */
  hosts: string[]
}

/** The secrets that workspaces may use: those of the operator, and their own. One of the operator has precedence. */
export interface SecretSource {
  /** Returns the secret of each name, or why there is none. */
  find(workspaceId: string, names: string[]): Promise<Map<string, UsableSecret | SecretObstacle>>
  /** Returns those of the names under which the workspace has no secret. */
  findMissing(principal: Principal, names: string[]): Promise<Set<string>>
}
