import { BOUND_KEY_PERMISSIONS, type Permission } from '../../../domain/access/permissions.ts'
import { parseMoment } from '../../../domain/shared/durations.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { isActorName, isGroupName } from '../../../domain/access/principal.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'

const NAME_LENGTH = 100
const NAME = /^[^\p{Cc}\p{Cs}]+$/u

export interface KeyFields {
  name: string
  actor?: string
  /** The person responsible for a service key. */
  owner?: string
  groups?: string[]
  /** If absent, the key has every permission except managing access. */
  permissions?: Permission[]
  brain_ids?: string[]
  /** The brain that the key uses unless a request names another brain. */
  default_brain_id?: string
  expires_at?: string
}

/** Returns the trimmed name of a workspace, brain or key. Throws ValidationError. */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (!NAME.test(trimmed) || trimmed.length > NAME_LENGTH)
    throw new ValidationError(`A name must have 1 to ${NAME_LENGTH} characters on one line`)
  return trimmed
}

/** Throws ValidationError if the actor is malformed. */
export function checkActor(actor: string): string {
  if (isActorName(actor)) return actor
  throw new ValidationError(`An actor must have the form user:ann, not "${actor}"`)
}

/** Returns the groups without duplicates. Throws ValidationError. */
export function checkGroups(groups: string[] = []): string[] {
  const bad = groups.find(group => !isGroupName(group))
  if (bad !== undefined) throw new ValidationError(`A group must have the form group:finance, not "${bad}"`)
  return [...new Set(groups)]
}

/** Returns a new API key's fields in stored form. Throws ValidationError with the first problem. */
export function checkKeyFields(fields: KeyFields) {
  const { actor, owner, expires_at } = fields
  if (actor !== undefined && owner !== undefined)
    throw new ValidationError('A key that acts as a person must not have an owner: that person owns it')
  const brains = checkBrains(fields)
  if (brains.brain_ids !== null && fields.permissions?.some(permission => !BOUND_KEY_PERMISSIONS.includes(permission)))
    throw new ValidationError('A key bound to brains must not manage access, share tokens or secrets of the workspace')
  return {
    name: checkName(fields.name),
    actor: actor === undefined ? null : checkActor(actor),
    owner: owner === undefined ? null : checkActor(owner),
    groups: checkGroups(fields.groups),
    permissions: fields.permissions ? [...new Set(fields.permissions)] : null,
    ...brains,
    expires_at: checkExpiry(expires_at) ?? null,
  }
}

/** Returns the time as ISO 8601 in UTC. Throws ValidationError. */
export function checkExpiry(time: string | undefined): string | undefined {
  if (time === undefined) return undefined
  const expiry = parseMoment(time)
  if (expiry === undefined) throw new ValidationError(`An expiry must be an ISO 8601 time, not "${time}"`)
  return expiry
}

/** Returns the ids in lowercase without duplicates. Throws ValidationError. */
export function checkBrains({ brain_ids = [], default_brain_id }: Pick<KeyFields, 'brain_ids' | 'default_brain_id'>) {
  const bound = new Set(brain_ids.map(checkBrainId))
  const defaultBrain = default_brain_id === undefined ? null : checkBrainId(default_brain_id)
  if (defaultBrain !== null && bound.size > 0 && !bound.has(defaultBrain))
    throw new ValidationError(`The default brain must be one that the key may access, not ${defaultBrain}`)
  return { brain_ids: bound.size > 0 ? [...bound] : null, default_brain_id: defaultBrain }
}

function checkBrainId(id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  throw new ValidationError(`A brain id must be a UUID, not "${id}"`)
}
