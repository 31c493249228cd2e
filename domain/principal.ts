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

/** The people a human node can be assigned to, as one flat list of the names an actor answers to. */
export const namesOf = (who: { actor: string; groups: string[] }): string[] => [who.actor, ...who.groups]
