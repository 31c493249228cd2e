import { Forbidden } from '../shared/errors.ts'
import type { LOAD_SKILL } from '../agents/skills.ts'
import { StepError } from '../runs/step-error.ts'
import type { BuiltinName } from '../tools/builtin.ts'
import type { ToolSource } from '../tools/tool-spec.ts'
import type { Permission } from './permissions.ts'

/** The permissions that effects of runs need. A run has those of its caller among them. */
export const RIGHTS = ['resources:read', 'resources:write', 'tools:call', 'jobs:start'] as const satisfies Permission[]
export type Right = (typeof RIGHTS)[number]

/** Null: the effect stays inside the run. */
type RequiredRight = Right | null

/** The right that each built-in tool needs. */
const BUILTIN_RIGHTS: Record<BuiltinName | typeof LOAD_SKILL, RequiredRight> = {
  search: 'resources:read',
  read_resource: 'resources:read',
  write_artifact: 'resources:write',
  http_fetch: 'tools:call',
  calculate: null,
  current_time: null,
  ask_human: null,
  remember: 'resources:write',
  recall: 'resources:read',
  /** Skills are part of the neuron's instructions. */
  load_skill: null,
}

/** The right that tools of each other source need. */
const SOURCE_RIGHTS: Record<Exclude<ToolSource, 'builtin'>, Right> = {
  openapi: 'tools:call',
  mcp: 'tools:call',
  pathway: 'jobs:start',
  neuron: 'jobs:start',
}

export const findToolRight = ({ source, name }: { source: ToolSource; name: string }): RequiredRight =>
  source === 'builtin' ? BUILTIN_RIGHTS[name as BuiltinName] : SOURCE_RIGHTS[source]

/** The rights of a run that a caller with these permissions starts. */
export const filterRights = (permissions: ReadonlySet<Permission>): Right[] =>
  RIGHTS.filter(right => permissions.has(right))

/** The rights that both have. */
export const intersectRights = (ours: Right[], theirs: Right[]): Right[] => ours.filter(right => theirs.includes(right))

/** Throws StepError FORBIDDEN unless the run has the right. */
export function requireRight({ rights }: { rights: Right[] }, needed: RequiredRight): void {
  if (needed !== null && !rights.includes(needed))
    throw new StepError('FORBIDDEN', `The run needs the permission "${needed}", which it does not have`)
}

/** Throws Forbidden unless the caller has one of the permissions. The error names the first. */
export function requirePermission(
  { permissions }: { permissions: ReadonlySet<Permission> },
  ...sufficient: [Permission, ...Permission[]]
): void {
  if (!sufficient.some(permission => permissions.has(permission)))
    throw new Forbidden(`This needs the permission "${sufficient[0]}"`)
}
