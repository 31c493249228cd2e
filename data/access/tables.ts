import type { Permission, Role, StoredKind } from '../../domain/access/permissions.ts'
import type { SharedTarget, ShareRight } from '../../domain/access/share-rights.ts'
import {
  defineTable,
  bigint,
  bytes,
  date,
  generated,
  integer,
  json,
  nullable,
  numeric,
  primary,
  text,
  texts,
  time,
  uuid,
  uuids,
} from '../shared/table.ts'

/** Workspaces, their brains and members, credentials, and what runs of a workspace use. */
export const workspacesTable = defineTable('workspaces', {
  id: primary(uuid()),
  slug: text(),
  name: text(),
  created_at: time(),
  /** The brain in which keys without an own default work. */
  default_brain_id: uuid(),
  /** Null: the default plan of the installation. */
  plan: nullable(text()),
  trial_ends_at: nullable(time()),
  /** How long votes are kept after their run is gone. Null: without end. */
  evidence_days: nullable(integer()),
})

export const brainsTable = defineTable('brains', {
  id: primary(uuid()),
  workspace_id: uuid(),
  name: text(),
  created_at: time(),
  /** The map that stakeholder routes show unless a request names one. */
  default_map_id: nullable(uuid()),
})

export const membersTable = defineTable('members', {
  workspace_id: primary(uuid()),
  actor: primary(text()),
  groups: texts(),
  role: text<Role>(),
})

/** API keys, publishable keys, share tokens, sessions, sign-in links and addresses of webhook triggers. */
export const credentialsTable = defineTable('credentials', {
  id: primary(uuid()),
  workspace_id: uuid(),
  name: text(),
  /** The actor that the credential acts as. An API key without an actor acts under its own name. */
  actor: nullable(text()),
  groups: texts(),
  /** The brains that the credential may access. Null means all. */
  brain_ids: nullable(uuids()),
  /** The public part of the token, by which it is found. */
  prefix: text(),
  hmac: bytes(),
  created_at: time(),
  expires_at: nullable(time()),
  revoked_at: nullable(time()),
  /** The person behind an API key without an actor. */
  owner: nullable(text()),
  /** One of the brains. Null for the only one, or else that of the workspace. */
  default_brain_id: nullable(uuid()),
  kind: text<StoredKind>(),
  /** Null for the permissions of the kind. */
  permissions: nullable(texts<Permission>()),
  /** What a share token opens. */
  target_type: nullable(text<SharedTarget>()),
  target_id: nullable(uuid()),
  /** Of a share token. */
  rights: nullable(texts<ShareRight>()),
  /** Null for any number. */
  max_uses: nullable(integer()),
  uses: integer(),
  /** The actor who made the credential. Null for the operator. */
  created_by: nullable(text()),
  /** To the minute. */
  last_used_at: nullable(time()),
})

export const usageEventsTable = defineTable('usage_events', {
  id: primary(generated(bigint())),
  workspace_id: uuid(),
  /** Null for embeddings. */
  job_id: nullable(text()),
  key: text(),
  attempt: integer(),
  kind: text(),
  model: nullable(text()),
  input_tokens: bigint(),
  cached_input_tokens: bigint(),
  output_tokens: bigint(),
  audio_seconds: numeric(),
  usd: numeric(),
  at: time(),
})

/** What a workspace has spent in a month. */
export const monthlySpendTable = defineTable('monthly_spend', {
  workspace_id: primary(uuid()),
  /** The first day of the month, by UTC. */
  month: primary(date()),
  usd: numeric(),
})

/** Requests that were made with an `Idempotency-Key`, and their responses. */
export const idempotencyKeysTable = defineTable('idempotency_keys', {
  workspace_id: primary(uuid()),
  key: primary(text()),
  route: text(),
  body_hash: text(),
  target: text(),
  claim: uuid(),
  response: nullable(json()),
  expires_at: time(),
})
