import type { Permission } from '../../domain/access/permissions.ts'

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
