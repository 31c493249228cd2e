import { isUuid } from '../../data/uuid.ts'
import { ValidationError } from '../../domain/errors.ts'
import { isActorName, isGroupName } from '../../domain/principal.ts'

const NAME_LENGTH = 100
const NAME = /^[^\p{Cc}\p{Cs}]+$/u

export interface KeyFields {
  name: string
  actor?: string
  /** The person behind a service key. */
  owner?: string
  groups?: string[]
  brain_ids?: string[]
  expires_at?: string
}

/** The name of a workspace, brain or key, trimmed. Throws ValidationError. */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (!NAME.test(trimmed) || trimmed.length > NAME_LENGTH)
    throw new ValidationError(`A name must have 1 to ${NAME_LENGTH} characters on one line`)
  return trimmed
}

/** Throws ValidationError. */
export function checkActor(actor: string): string {
  if (isActorName(actor)) return actor
  throw new ValidationError(`An actor must have the form user:ann, not "${actor}"`)
}

/** Each group once. Throws ValidationError. */
export function checkGroups(groups: string[] = []): string[] {
  const bad = groups.find(group => !isGroupName(group))
  if (bad !== undefined) throw new ValidationError(`A group must have the form group:finance, not "${bad}"`)
  return [...new Set(groups)]
}

/** The fields of a new API key as they are stored. Throws ValidationError with the first problem. */
export function checkKeyFields(fields: KeyFields) {
  const { actor, owner, brain_ids, expires_at } = fields
  if (actor !== undefined && owner !== undefined)
    throw new ValidationError('A key that acts as a person must have no owner: it is that person')
  const badBrain = brain_ids?.find(id => !isUuid(id))
  if (badBrain !== undefined) throw new ValidationError(`A brain id must be a UUID, not "${badBrain}"`)
  if (expires_at !== undefined && Number.isNaN(Date.parse(expires_at)))
    throw new ValidationError(`An expiry must be an ISO 8601 time, not "${expires_at}"`)
  return {
    name: checkName(fields.name),
    actor: actor === undefined ? null : checkActor(actor),
    owner: owner === undefined ? null : checkActor(owner),
    groups: checkGroups(fields.groups),
    brain_ids: brain_ids?.length ? [...new Set(brain_ids.map(id => id.toLowerCase()))] : null,
    expires_at: expires_at === undefined ? null : new Date(expires_at).toISOString(),
  }
}
