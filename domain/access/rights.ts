import { Forbidden } from '../shared/errors.ts'
import type { LOAD_SKILL } from '../agents/skills.ts'
import { StepError } from '../runs/step-error.ts'
import type { BuiltinName } from '../tools/builtin.ts'
import type { ToolSource } from '../tools/tool-spec.ts'
import type { Permission } from './permissions.ts'

/** Permissions that the effects of runs require. A run gets the subset that its caller has. */
export const RIGHTS = ['resources:read', 'resources:write', 'tools:call', 'jobs:start'] as const satisfies Permission[]
export type Right = (typeof RIGHTS)[number]

/** Null if the effect stays inside the run. */
type RequiredRight = Right | null

/** The right required by each built-in tool. */
const BUILTIN_RIGHTS: Record<BuiltinName | typeof LOAD_SKILL, RequiredRight> = {
  search: 'resources:read',
  read_resource: 'resources:read',
  /** The file belongs to the run. */
  read_file: null,
  write_artifact: 'resources:write',
  http_fetch: 'tools:call',
  calculate: null,
  current_time: null,
  ask_human: null,
  remember: 'resources:write',
  recall: 'resources:read',
  /** Skills are part of the agent's instructions. */
  load_skill: null,
}

/** The right required by tools from each other source. */
const SOURCE_RIGHTS: Record<Exclude<ToolSource, 'builtin'>, Right> = {
  openapi: 'tools:call',
  mcp: 'tools:call',
  pathway: 'jobs:start',
  neuron: 'jobs:start',
}

export const findToolRight = ({ source, name }: { source: ToolSource; name: string }): RequiredRight =>
  source === 'builtin' ? BUILTIN_RIGHTS[name as BuiltinName] : SOURCE_RIGHTS[source]

/** Returns the rights of a run started by a caller with these permissions. */
export const filterRights = (permissions: ReadonlySet<Permission>): Right[] =>
  RIGHTS.filter(right => permissions.has(right))

/** Returns the rights that are in both lists. */
export const intersectRights = (rights: Right[], allowed: Right[]): Right[] =>
  rights.filter(right => allowed.includes(right))

/** Throws StepError FORBIDDEN unless the run has the right. */
export function requireRight({ rights }: { rights: Right[] }, needed: RequiredRight): void {
  if (needed !== null && !rights.includes(needed))
    throw new StepError('FORBIDDEN', `The run needs the permission "${needed}", which it does not have`)
}

/** Throws Forbidden unless the caller has one of the permissions. The error message names the first permission. */
export function requirePermission(
  { permissions }: { permissions: ReadonlySet<Permission> },
  ...sufficient: [Permission, ...Permission[]]
): void {
  if (!sufficient.some(permission => permissions.has(permission)))
    throw new Forbidden(`This needs the permission "${sufficient[0]}"`)
}
