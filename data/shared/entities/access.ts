import { EntitySchema } from 'typeorm'
import type { Permission, StoredKind } from '../../../domain/access/permissions.ts'
import type { SharedTarget, ShareRight } from '../../../domain/access/share-rights.ts'
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

export interface Credential {
  id: string
  kind: StoredKind
  name: string
  /** The actor that the credential acts as. An API key without an actor acts under its own name. */
  actor: string | null
  /** The person behind an API key without an actor. */
  owner: string | null
  groups: string[]
  /** Null for the permissions of the kind. */
  permissions: Permission[] | null
  /** The brains that the credential may access. Null means all. */
  brain_ids: string[] | null
  /** One of them. Null for the only one, or else that of the workspace. */
  default_brain_id: string | null
  target_type: SharedTarget | null
  target_id: string | null
  /** Of a share token. */
  rights: ShareRight[] | null
  /** Null for any number. */
  max_uses: number | null
  uses: number
  /** The public part of the token, by which it is found. */
  prefix: string
  hmac: Buffer
  /** The actor who made the credential. Null for the operator. */
  created_by: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  /** To the minute. */
  last_used_at: string | null
}

export const CredentialEntity = new EntitySchema<Credential>({
  name: 'credential',
  tableName: 'credentials',
  columns: {
    id: { type: 'uuid', primary: true },
    kind: { type: 'text' },
    name: { type: 'text' },
    actor: { type: 'text', nullable: true },
    owner: { type: 'text', nullable: true },
    groups: { type: 'text', array: true },
    permissions: { type: 'text', array: true, nullable: true },
    brain_ids: { type: 'uuid', array: true, nullable: true },
    default_brain_id: { type: 'uuid', nullable: true },
    target_type: { type: 'text', nullable: true },
    target_id: { type: 'uuid', nullable: true },
    rights: { type: 'text', array: true, nullable: true },
    max_uses: { type: 'int', nullable: true },
    uses: { type: 'int' },
    prefix: { type: 'text' },
    hmac: { type: 'bytea' },
    created_by: { type: 'text', nullable: true },
    created_at: isoTime,
    expires_at: { ...isoTime, nullable: true },
    revoked_at: { ...isoTime, nullable: true },
    last_used_at: { ...isoTime, nullable: true },
  },
})
