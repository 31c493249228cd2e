import type { Permission } from './permissions.ts'
import type { Label } from '../pathways/labels/labels.ts'
import type { Problem } from '../shared/json/json.ts'

/** The brain that a request addresses. */
export interface BrainContext {
  /** Null for the workspace itself. The workspace contains the runs of resources that belong to no brain. */
  id: string | null
  /** True if the request names the brain, false if it is the credential's default brain. */
  isExplicit: boolean
}

/** The brains that a principal can access, and the brain that the request addresses. */
export interface BrainAccess {
  /** Brains that the credential can access. Null for all brains of the workspace. */
  brain_ids: string[] | null
  /** Absent when the request names no brain and the credential has no default. */
  brain?: BrainContext
}

/** The authenticated caller of a request, and the input of every service call. */
export interface Principal extends BrainAccess {
  workspace_id: string
  workspace_slug: string
  /** Credential id, for the audit log. */
  key_id: string
  /** Name of the caller: `user:ann` for a key bound to a person, `key:<name>` for a service key. */
  actor: string
  /**
   * The person behind the caller: the actor, or the owner of a service key. Used only to compare people. Grants no
   * permissions.
   */
  person: string
  /**
   * Everyone behind the caller: the actor, the owner of a service key, the creator of a share token, the author of a
   * trigger. `person` comes first. They cannot decide in runs that the caller starts or changes.
   */
  people: string[]
  /** True for a signed-in user. All sessions and tokens of a user are counted together. */
  is_user?: boolean
  /** Groups of the actor, such as `group:finance`. */
  groups: string[]
  /**
   * Permissions of the caller, or of a gateway's author. These permissions determine the rights of the runs that the
   * caller starts.
   */
  permissions: ReadonlySet<Permission>
  /** Sources of the request content, if no workspace member vouches for it. */
  labels?: Label[]
}

const ACTOR = /^[a-z]+:[^\s\p{Cc}]{1,200}$/u
const NO_PERSON = /^(?:group|guest|key|share|trigger):/

/** JSON Schema for the names of people. It excludes the names of groups, service keys, visitors and triggers. */
export const ACTOR_SCHEMA = { pattern: ACTOR.source, not: { pattern: NO_PERSON.source } }
const GROUP = /^group:[^\s\p{Cc}]{1,200}$/u

/** Names that a principal can have. The operator chooses the name of a service key, which may contain spaces. */
export const PRINCIPAL = /^(?:[a-z]+:[^\s\p{Cc}]{1,200}|key:[^\p{Cc}]{1,100})$/u

/** Returns whether a name belongs to a person, such as `user:ann`. */
export const isActorName = (name: string): boolean => ACTOR.test(name) && !NO_PERSON.test(name)

/** Returns the actor name shared by all visitors with a share token. */
export const buildVisitorName = (tokenId: string): string => `share:${tokenId}`

/** Returns the actor name of a guest: a visitor who writes by mail. */
export const buildGuestName = (address: string): string => `guest:${address}`

/** Returns whether a name belongs to a visitor: the holder of a share token, or a guest. */
export const isVisitorName = (name: string): boolean => /^(?:guest|share):/.test(name)

/** Returns the actor name of the runs that a trigger starts. */
export const buildTriggerName = (slug: string): string => `trigger:${slug}`

/** Returns whether a name belongs to a trigger. Triggers cannot answer tasks. */
export const isTriggerName = (name: string): boolean => name.startsWith('trigger:')

/** Returns whether a name belongs to a group, such as `group:finance`. */
export const isGroupName = (name: string): boolean => GROUP.test(name)

/** Returns whether the name is valid for a principal: a person, a group or a service key. */
export const isPrincipalName = (name: string): boolean => PRINCIPAL.test(name) && name.isWellFormed()

/** The rule for assignee names, as the end of a sentence. */
export const PRINCIPAL_RULE = 'must be a person such as user:ann or a group such as group:finance'

/**
 * Lists the names that are invalid for a principal, with their pointers. Skips names for which `isOpen` returns true.
 */
export const principalProblems = (names: string[], at: string, isOpen = (_name: string) => false): Problem[] =>
  names.flatMap((name, i) =>
    isOpen(name) || isPrincipalName(name)
      ? []
      : [{ pointer: `${at}/${i}`, message: `${PRINCIPAL_RULE}, not "${name}"` }],
  )

/** Returns the person behind a principal, or undefined if the actor is that person. */
export const findOtherPerson = ({ actor, person }: Pick<Principal, 'actor' | 'person'>): string | undefined =>
  person === actor ? undefined : person

/** Returns whether the principal is an assignee, by actor name or through one of the principal's groups. */
export const isAssignee = ({ actor, groups }: Pick<Principal, 'actor' | 'groups'>, assignees: string[]): boolean =>
  [actor, ...groups].some(name => assignees.includes(name))
