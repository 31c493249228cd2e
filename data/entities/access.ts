import { EntitySchema } from 'typeorm'
import { isoTime } from './iso-time.ts'

export interface Workspace {
  id: string
  slug: string
  name: string
  /** The brain in which keys without an own default work. */
  default_brain_id: string
}

export const WorkspaceEntity = new EntitySchema<Workspace>({
  name: 'workspace',
  tableName: 'workspaces',
  columns: {
    id: { type: 'uuid', primary: true },
    slug: { type: 'text' },
    name: { type: 'text' },
    default_brain_id: { type: 'uuid' },
  },
})

export interface Brain {
  id: string
  name: string
}

export const BrainEntity = new EntitySchema<Brain>({
  name: 'brain',
  tableName: 'brains',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
  },
})

export interface ApiKey {
  id: string
  name: string
  /** The actor that the key acts as. A key without an actor acts under its own name. */
  actor: string | null
  /** The person behind a key without an actor. */
  owner: string | null
  groups: string[]
  /** The brains that the key may access. Null means all. */
  brain_ids: string[] | null
  /** One of them. Null for the only one, or else that of the workspace. */
  default_brain_id: string | null
  /** The public part of the key, by which it is found. */
  prefix: string
  hmac: Buffer
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export const ApiKeyEntity = new EntitySchema<ApiKey>({
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    actor: { type: 'text', nullable: true },
    owner: { type: 'text', nullable: true },
    groups: { type: 'text', array: true },
    brain_ids: { type: 'uuid', array: true, nullable: true },
    default_brain_id: { type: 'uuid', nullable: true },
    prefix: { type: 'text' },
    hmac: { type: 'bytea' },
    created_at: isoTime,
    expires_at: { ...isoTime, nullable: true },
    revoked_at: { ...isoTime, nullable: true },
  },
})
