import type { Permission } from '../../domain/access/permissions.ts'

/** The person, key or operator that manages access to a workspace. */
export interface Manager {
  workspace_id: string
  actor: string
  person: string
  key_id: string
  /** True for a person with a session or a token, false for an API key. */
  is_user?: boolean
  groups?: readonly string[]
  /** The manager's permissions. The manager can grant only these. Absent for the operator, who may do everything. */
  permissions?: ReadonlySet<Permission>
}
