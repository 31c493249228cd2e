import type { Permission } from './permissions.ts'
import type { Label } from '../pathways/labels/labels.ts'
import type { Problem } from '../shared/json/json.ts'

/** The brain that a request is about. */
export interface BrainContext {
  /** Null for the workspace itself: the runs of what belongs to no brain. */
  id: string | null
  /** Whether the request names the brain. If not, it is the default brain of the credential. */
  isExplicit: boolean
}

/** The brains that a principal may see, and the one that it works in. */
export interface BrainAccess {
  /** Brains that the credential gives access to; null for all of the workspace. */
  brain_ids: string[] | null
  /** Absent when the request names no brain and the credential has no default. */
  brain?: BrainContext
}

/** The authenticated caller of a request, and the input of every service call. */
export interface Principal extends BrainAccess {
  workspace_id: string
  workspace_slug: string
  /** Id of the credential, for the audit trail. */
  key_id: string
  /** The name of the caller: `user:ann` for a key bound to a person, `key:<name>` for a service key. */
  actor: string
  /** The person behind the caller: the actor, or the owner of a service key. It compares people, and grants nothing. */
  person: string
  /**
   * Everyone behind the caller, the person first: the actor, the owner of a service key, the creator of a share token, the
   * author of a trigger. They may not decide in the runs that the caller starts or changes.
   */
  people: string[]
  /** True for a signed-in user, whose sessions and tokens count together. */
  is_user?: boolean
  /** Groups of the actor, such as `group:finance`. */
  groups: string[]
  /** What the caller may do, or what the author of a gateway could do. The runs that it starts have their rights from here. */
  permissions: ReadonlySet<Permission>
  /** Sources of the content of its requests, if no member of the workspace vouches for it. */
  labels?: Label[]
}

const ACTOR = /^[a-z]+:[^\s\p{Cc}]{1,200}$/u
const NO_PERSON = /^(?:group|key|share|trigger):/

/** The names of people as a JSON Schema. Groups, service keys, visitors and triggers have others. */
export const ACTOR_SCHEMA = { pattern: ACTOR.source, not: { pattern: NO_PERSON.source } }
const GROUP = /^group:[^\s\p{Cc}]{1,200}$/u

/** The names that a principal can have. A service key has the name that the operator gave it, which may contain spaces. */
export const PRINCIPAL = /^(?:[a-z]+:[^\s\p{Cc}]{1,200}|key:[^\p{Cc}]{1,100})$/u

/** Whether the name is that of a person, such as `user:ann`. */
export const isActorName = (name: string): boolean => ACTOR.test(name) && !NO_PERSON.test(name)

/** The name of everyone who comes with a share token. */
export const buildVisitorName = (tokenId: string): string => `share:${tokenId}`

/** Whether the name is that of visitors with a share token. */
export const isVisitorName = (name: string): boolean => name.startsWith('share:')

/** The name of everything that a trigger starts. */
export const buildTriggerName = (slug: string): string => `trigger:${slug}`

/** Whether the name is that of a trigger, which answers no tasks. */
export const isTriggerName = (name: string): boolean => name.startsWith('trigger:')

/** Whether the name is that of a group, such as `group:finance`. */
export const isGroupName = (name: string): boolean => GROUP.test(name)

/** Whether a principal can have the name: a person, a group or a service key. */
export const isPrincipalName = (name: string): boolean => PRINCIPAL.test(name) && name.isWellFormed()

/** The rule for assignees, as the end of a sentence. */
export const PRINCIPAL_RULE = 'must be a person such as user:ann or a group such as group:finance'

/** Lists the names that no principal can have, by pointer. Names for which `isOpen` returns true are not checked. */
export const principalProblems = (names: string[], at: string, isOpen = (_name: string) => false): Problem[] =>
  names.flatMap((name, i) =>
    isOpen(name) || isPrincipalName(name)
      ? []
      : [{ pointer: `${at}/${i}`, message: `${PRINCIPAL_RULE}, not "${name}"` }],
  )

/** The person behind a principal where it is not the actor itself. */
export const findOtherPerson = ({ actor, person }: Pick<Principal, 'actor' | 'person'>): string | undefined =>
  person === actor ? undefined : person

/** Whether the principal is named as an assignee, by its actor or one of its groups. */
export const isAssignee = ({ actor, groups }: Pick<Principal, 'actor' | 'groups'>, assignees: string[]): boolean =>
  [actor, ...groups].some(name => assignees.includes(name))
