import { z } from 'zod'
import { PERMISSIONS, ROLE_NAMES, STORED_KINDS } from '../../../domain/access/permissions.ts'
import { SHARE_RIGHTS, SHARED_TARGETS } from '../../../domain/access/share-rights.ts'
import { isGroupName } from '../../../domain/access/principal.ts'
import type { ApiKeyView, CreatedApiKey } from '../../../services/access/credentials/api-keys.ts'
import type { Departure } from '../../../services/access/departure.ts'
import type { Member } from '../../../services/access/members.ts'
import type { Handover } from '../../../services/access/offboarding.ts'
import type {
  CreatedPublishableKey,
  PublishableKeyView,
} from '../../../services/access/credentials/publishable-keys.ts'
import type { CreatedShareToken, ShareTokenView } from '../../../services/access/credentials/share-tokens.ts'
import { pageSchema } from '../../../contract/shared/page.ts'
import { flag } from '../../../contract/shared/query.ts'
import { line, person } from '../../../contract/shared/text.ts'
import { moment, timestamp } from '../../../contract/shared/time.ts'
import { absenceView } from '../../../contract/people/absence.ts'

const MAX_LIST = 100

export const idParams = z.object({ id: z.uuid() })

const name = line(100)
const group = line().refine(isGroupName, 'must be a group such as group:finance')
const groups = z.array(group).max(MAX_LIST).optional()
const keyGroups = groups.meta({ description: 'Groups to which you belong' })
const brains = {
  brain_ids: z.array(z.uuid()).min(1).max(MAX_LIST).optional().meta({ description: 'Default: all brains' }),
  default_brain_id: z
    .uuid()
    .optional()
    .meta({ description: 'The brain in which the credential works unless a request names one' }),
}
const issued = {
  prefix: z.string().meta({ description: 'The beginning of the text, by which people recognize it' }),
  created_by: z.string().nullable().meta({ description: 'The person who made it; `operator` for the command line' }),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: 'To the minute' }),
}
const boundBrains = {
  brain_ids: z.array(z.uuid()).nullable().meta({ description: 'Null for all brains' }),
  default_brain_id: z.uuid().nullable(),
}

const keyFields = {
  name,
  groups: keyGroups,
  permissions: z
    .array(z.enum(PERMISSIONS))
    .max(PERMISSIONS.length)
    .optional()
    .meta({ description: 'Default: all but those that keys get by name only. You can give only what you have' }),
  ...brains,
  expires_at: moment.optional(),
}

export const apiKeyBody = z.strictObject({
  ...keyFields,
  actor: person
    .optional()
    .meta({ description: 'Yourself, for a key that acts as you. Default: a service key, which belongs to you' }),
})
export const apiKeyChange = z.strictObject(keyFields)
export const rotateBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .meta({ description: 'For how long the old key is accepted too' }),
})

export const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    actor: z.string(),
    owner: z.string().nullable(),
    groups: z.array(z.string()),
    permissions: z.array(z.enum(PERMISSIONS)).nullable(),
    ...boundBrains,
    ...issued,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' }) satisfies z.ZodType<ApiKeyView>
export const createdApiKey = apiKey
  .extend({ api_key: z.string().meta({ description: 'The key. It is shown only once.' }) })
  .meta({ id: 'CreatedApiKey' }) satisfies z.ZodType<CreatedApiKey>

export const publishableKeyBody = z.strictObject({ name, ...brains })
export const publishableKey = z
  .object({ id: z.uuid(), name: z.string(), ...boundBrains, ...issued })
  .meta({ id: 'PublishableKey' }) satisfies z.ZodType<PublishableKeyView>
export const createdPublishableKey = z
  .object({ id: z.uuid(), name: z.string(), publishable_key: z.string() })
  .meta({ id: 'CreatedPublishableKey' }) satisfies z.ZodType<CreatedPublishableKey>

const target = z.strictObject({ type: z.enum(SHARED_TARGETS), id: line() })
const rights = z.array(z.enum(SHARE_RIGHTS))
export const shareTokenBody = z.strictObject({
  name,
  target: target.meta({ description: 'Id or slug of a receptor, or id of a thread' }),
  rights: rights.min(1).max(SHARE_RIGHTS.length).optional().meta({ description: 'Default: all' }),
  expires_at: moment.optional().meta({ description: 'Default: 30 days from now' }),
  max_uses: z.int().min(1).max(1_000_000_000).optional().meta({ description: 'Limit of the messages that are sent' }),
})
export const shareToken = z
  .object({
    id: z.uuid(),
    name: z.string(),
    target: z.object({ type: z.enum(SHARED_TARGETS), id: z.uuid() }),
    rights,
    max_uses: z.int().nullable(),
    uses: z.int(),
    ...issued,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ShareToken' }) satisfies z.ZodType<ShareTokenView>
export const createdShareToken = z
  .object({ id: z.uuid(), name: z.string(), share_token: z.string(), expires_at: timestamp })
  .meta({ id: 'CreatedShareToken' }) satisfies z.ZodType<CreatedShareToken>

export const memberParams = z.object({ actor: person })
export const memberBody = z.strictObject({
  role: z.enum(ROLE_NAMES).optional().meta({ description: 'Default: the current role, or `builder`' }),
  groups: groups.meta({ description: 'Default: the current groups, or none' }),
})
export const member = z
  .object({ actor: z.string(), role: z.enum(ROLE_NAMES), groups: z.array(z.string()) })
  .meta({ id: 'Member' }) satisfies z.ZodType<Member>
export const memberPage = pageSchema(member)

const ids = z.array(z.uuid()).min(1).max(1_000).optional()
const resourceRef = z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).meta({ id: 'ResourceRef' })
const taskRef = z
  .object({ id: z.uuid(), job_id: z.string(), title: z.string(), assignees: z.array(z.string()) })
  .meta({ id: 'TaskRef' })

export const removalQuery = z.object({
  dry_run: flag.prefault('false').meta({ description: '`true` lists what would end, and changes nothing' }),
})
export const departure = z
  .object({
    actor: z.string(),
    revoked: z
      .array(z.object({ id: z.uuid(), kind: z.enum(STORED_KINDS), name: z.string() }))
      .meta({ description: 'Credentials of the person, and the links and tokens that they made' }),
    switched_off: z.array(resourceRef).meta({ description: 'Triggers that the person saved last' }),
    open: z.object({
      tasks: z.array(taskRef).meta({ description: 'Tasks that too few people may answer now' }),
      claims: z.array(taskRef).meta({ description: 'Tasks that the person has claimed, which the removal releases' }),
      delegations: z.array(taskRef).meta({ description: 'Tasks that the person has delegated or was delegated' }),
      absences: z.array(absenceView).meta({ description: 'Absences of the person, or with the person as substitute' }),
      receptors: z.array(resourceRef).meta({ description: 'Receptors that the person saved last. They still work' }),
    }),
  })
  .meta({ id: 'Departure' }) satisfies z.ZodType<Departure>

export const handoverBody = z.strictObject({
  to: person.meta({ description: 'The member who takes over' }),
  tasks: ids.meta({
    description: 'Default: tasks that name the person, that they claimed or that nobody else may answer',
  }),
  triggers: ids.meta({ description: 'Default: all triggers of a person who has left' }),
  dry_run: z.boolean().optional().meta({ description: 'true: lists what would be handed over, and changes nothing' }),
})
const handedOver = z
  .object({
    id: z.uuid(),
    title: z.string(),
    outcome: z.enum(['handed_over', 'refused']),
    message: z.string().optional().meta({ description: 'Why it was refused' }),
  })
  .meta({ id: 'HandedOver' })
export const handover = z
  .object({
    from: z.string(),
    to: z.string(),
    dry_run: z.boolean(),
    tasks: z.array(handedOver),
    triggers: z.array(handedOver),
  })
  .meta({ id: 'Handover' }) satisfies z.ZodType<Handover>
