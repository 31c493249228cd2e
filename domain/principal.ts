import type { Problem } from './json.ts'

/** Who is calling: the result of authentication, the input of every service call. */
export interface Principal {
  workspace_id: string
  workspace_slug: string
  /** The credential used, for the audit trail. */
  key_id: string
  /** Who acts: `user:ann` for a key bound to a person, `key:<name>` for a service key. */
  actor: string
  /** Groups of the actor, such as `group:finance`. */
  groups: string[]
  /** Brains the credential may touch; null means all of the workspace. */
  brain_ids: string[] | null
  /** The brain this request works in, after the check. */
  brain_id?: string
}

const ACTOR = /^(?!group:|key:)[a-z]+:[^\s\p{Cc}]{1,200}$/u
const GROUP = /^group:[^\s\p{Cc}]{1,200}$/u
/** A service key is called as the operator named it, so its name may hold spaces. */
const KEY = /^key:[^\p{Cc}\p{Cs}]{1,100}$/u

/** A person, such as `user:ann`. */
export const isActorName = (name: string): boolean => ACTOR.test(name)

/** A group, such as `group:finance`. */
export const isGroupName = (name: string): boolean => GROUP.test(name)

/** A name that a caller can have: a person, a group of theirs, or a service key. */
export const isPrincipalName = (name: string): boolean => isActorName(name) || isGroupName(name) || KEY.test(name)

/** The rule for assignees, as the end of a sentence. */
export const PRINCIPAL_RULE = 'must be a person such as user:ann or a group such as group:finance'

/** Which of these names no caller can have, those aside that are not known yet. Pointers lead to their places. */
export const principalProblems = (names: string[], at: string, isOpen = (_name: string) => false): Problem[] =>
  names.flatMap((name, i) =>
    isOpen(name) || isPrincipalName(name)
      ? []
      : [{ pointer: `${at}/${i}`, message: `${PRINCIPAL_RULE}, not "${name}"` }],
  )

/** The people a human node can be assigned to, as one flat list of the names an actor answers to. */
export const listNames = (principal: { actor: string; groups: string[] }): string[] => [
  principal.actor,
  ...principal.groups,
]
