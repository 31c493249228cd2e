import type { GroupSource, Permission, Role, RoleSource, StoredKind } from '../../domain/access/permissions.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { SharedTarget, ShareRight } from '../../domain/access/share-rights.ts'
import {
  defineTable,
  bigint,
  bytes,
  date,
  generated,
  integer,
  json,
  jsonb,
  nullable,
  numeric,
  primary,
  text,
  texts,
  time,
  uuid,
  uuids,
} from '../shared/table.ts'

/** Workspaces, their brains and members, credentials, and resource usage. */
export const workspacesTable = defineTable('workspaces', {
  id: primary(uuid()),
  slug: text(),
  name: text(),
  created_at: time(),
  /** The default brain for keys that define none. */
  default_brain_id: uuid(),
  /** Null means the default plan of the installation. */
  plan: nullable(text()),
  trial_ends_at: nullable(time()),
  /** How many days votes are kept after their run is removed. Null keeps them forever. */
  evidence_days: nullable(integer()),
})

export const brainsTable = defineTable('brains', {
  id: primary(uuid()),
  workspace_id: uuid(),
  name: text(),
  created_at: time(),
  /** The map that stakeholder routes use when a request doesn't name one. */
  default_map_id: nullable(uuid()),
})

export const membersTable = defineTable('members', {
  workspace_id: primary(uuid()),
  actor: primary(text()),
  groups: texts(),
  role: text<Role>(),
  display_name: nullable(text()),
  email: nullable(text()),
  picture_url: nullable(text()),
  /** The sources of groups that were not set by hand. */
  group_sources: jsonb<Record<string, GroupSource>>(),
  role_source: text<RoleSource>(),
  /** The attributes from a SCIM client. Null for a member without SCIM. */
  scim: nullable(jsonb<JsonObject>()),
})

/** Groups that a SCIM client created. Members have their names in `groups`. */
export const provisionedGroupsTable = defineTable('provisioned_groups', {
  workspace_id: primary(uuid()),
  /** The name in members, such as `group:finance`. */
  name: primary(text()),
  display_name: text(),
  external_id: nullable(text()),
})

/**
 * Members who can't sign in until they are reactivated. Their rows are kept here, so that nothing treats them as
 * members.
 */
export const deactivatedMembersTable = defineTable('deactivated_members', {
  workspace_id: primary(uuid()),
  actor: primary(text()),
  member: jsonb<JsonObject>(),
  deactivated_at: time(),
})

/** API keys, publishable keys, share tokens, sessions, sign-in links and webhook trigger addresses. */
export const credentialsTable = defineTable('credentials', {
  id: primary(uuid()),
  workspace_id: uuid(),
  name: text(),
  /** The actor that the credential acts as. An API key without an actor acts under its own name. */
  actor: nullable(text()),
  groups: texts(),
  /** The brains that the credential can access. Null means all. */
  brain_ids: nullable(uuids()),
  /** The public part of the token, which identifies the row. */
  prefix: text(),
  hmac: bytes(),
  created_at: time(),
  expires_at: nullable(time()),
  revoked_at: nullable(time()),
  /** The person behind an API key without an actor. */
  owner: nullable(text()),
  /** One of `brain_ids`. If null, the only brain in `brain_ids` is used, otherwise the workspace default. */
  default_brain_id: nullable(uuid()),
  kind: text<StoredKind>(),
  /** Null means the default permissions of the kind. */
  permissions: nullable(texts<Permission>()),
  /** The type of object that a share token opens. */
  target_type: nullable(text<SharedTarget>()),
  target_id: nullable(uuid()),
  /** Only for share tokens. */
  rights: nullable(texts<ShareRight>()),
  /** Other sites whose pages may use a share token. */
  allowed_origins: nullable(texts()),
  /** Null means unlimited. */
  max_uses: nullable(integer()),
  uses: integer(),
  /** The actor who created the credential. Null for the operator. */
  created_by: nullable(text()),
  /** Accurate to the minute. */
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

/** Spend per workspace and month. */
export const monthlySpendTable = defineTable('monthly_spend', {
  workspace_id: primary(uuid()),
  /** The first day of the month (UTC). */
  month: primary(date()),
  usd: numeric(),
})

/** Requests with an `Idempotency-Key`, and their responses. */
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
