import type { Caller } from '../../../services/access/callers.ts'
import type { Manager } from '../../../services/access/manager.ts'

/** Returns the caller as an access manager of the caller's workspace. */
export const getManager = ({ principal }: Caller): Manager => ({
  workspace_id: principal.workspace_id,
  actor: principal.actor,
  person: principal.person,
  key_id: principal.key_id,
  is_user: principal.is_user,
  groups: principal.groups,
  permissions: principal.permissions,
})
