import { z } from 'zod'
import { ROLE_NAMES, type Role } from '../domain/access/permissions.ts'
import { isGroupName } from '../domain/access/principal.ts'
import { jsonSetting } from './json-setting.ts'

const claimValue = z.string().min(1).max(500)

/** Groups by claim value: `{"2f1c…": "group:finance"}`. */
export const groupMap = jsonSetting('{', 'a JSON object').pipe(
  z.record(claimValue, z.string().refine(isGroupName, 'must be a group such as group:finance')),
)

/** A role that a claim value grants. */
export interface MappedRole {
  role: Role
  /** Slug of the only workspace in which the value grants the role. Undefined for all workspaces. */
  workspace?: string
}

const ROLE = new RegExp(`^(?:(?<workspace>[^:]+):)?(?<role>${ROLE_NAMES.join('|')})$`)

/** Roles by claim value: `{"ganglion-admins": "admin", "acme-builders": "acme:builder"}`. */
export const roleMap = jsonSetting('{', 'a JSON object').pipe(
  z.record(
    claimValue,
    z
      .string()
      .regex(ROLE, `must be a role, or a workspace and a role such as acme:admin. Roles: ${ROLE_NAMES.join(', ')}`)
      .transform(text => ROLE.exec(text)?.groups as unknown as MappedRole),
  ),
)
