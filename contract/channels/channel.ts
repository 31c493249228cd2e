import { z } from 'zod'
import { CHANNEL_TYPES } from '../../domain/channels/channel.ts'
import { NOTIFIED_EVENTS } from '../../domain/channels/notification.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { line, principalName } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { pageQuery } from '../shared/query.ts'

const MAX_SECRET_CHARS = 500
const MAX_URL_CHARS = 2_000

const channelName = z
  .string()
  .max(60)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must have only lower-case letters, digits and hyphens')

export const channelParams = z.object({ name: channelName.meta({ description: 'Name of the channel' }) })

const secret = (description: string) =>
  line(MAX_SECRET_CHARS)
    .min(1)
    .meta({ description: `${description}. Never returned in a response.`, writeOnly: true })

const slackBody = z.strictObject({
  name: channelName,
  type: z.literal('slack'),
  bot_token: secret('The bot user OAuth token of the Slack app, such as `xoxb-…`').regex(
    /^xoxb-/,
    'must be a bot token, which starts with xoxb-',
  ),
  signing_secret: secret('The signing secret of the Slack app').regex(
    /^[0-9a-f]{32}$/,
    'must be a signing secret: 32 hexadecimal digits',
  ),
})

const teamsBody = z.strictObject({
  name: channelName,
  type: z.literal('teams'),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL_CHARS)
    .meta({
      description: 'URL of the Teams workflow that receives messages. Never returned in a response.',
      writeOnly: true,
    }),
})

export const channelBody = z.discriminatedUnion('type', [slackBody, teamsBody])
export type ChannelFields = z.output<typeof channelBody>

const shared = z.object({
  name: z.string(),
  status: z.enum(['connected', 'failing']),
  failing_since: timestamp.nullable(),
  failure: z.string().nullable().meta({ description: 'Reason of the last failure' }),
  last_event_at: timestamp.nullable().meta({ description: 'Time of the last event, accurate to the minute' }),
  receptors: z
    .array(z.object({ id: z.uuid(), slug: z.string(), conversations: z.array(z.string()).nullable() }))
    .meta({ description: 'Receptors (gateways) that answer in the channel. `conversations`: only there' }),
  created_by: z.string(),
  created_at: timestamp,
  updated_by: z.string(),
  updated_at: timestamp,
})
/** The fields that channels of all types have. */
export type SharedChannelFields = z.output<typeof shared>

const slackChannel = shared
  .extend({
    type: z.literal('slack'),
    team: z.string().meta({ description: 'Name of the Slack workspace' }),
    team_id: z.string(),
    request_url: z.string().meta({ description: 'URL to which the service sends its events and interactions' }),
  })
  .meta({ id: 'SlackChannel' })

const teamsChannel = shared
  .extend({
    type: z.literal('teams'),
    host: z.string().meta({ description: 'Host of the URL of the Teams workflow' }),
  })
  .meta({ id: 'TeamsChannel' })

export const channel = z.discriminatedUnion('type', [slackChannel, teamsChannel]).meta({ id: 'Channel' })
export type ChannelView = z.output<typeof channel>

export const channelPage = pageSchema(channel)

export const channelMessage = z
  .object({
    id: z.uuid(),
    intervention_id: z.string().nullable().meta({ description: 'The task that the message shows' }),
    job_id: z.string().nullable().meta({ description: 'The run whose answer the message shows' }),
    notification_id: z.uuid().nullable().meta({ description: 'The notification that the message contains' }),
    digest_at: timestamp.nullable().meta({ description: 'Time of the digest that the message contains' }),
    recipient: z.string(),
    conversation: z.string(),
    thread: z.string().nullable(),
    external_id: z.string().nullable().meta({ description: 'Id of the message at the service' }),
    status: z.enum(['pending', 'sent', 'skipped', 'failed']).meta({
      description: '`skipped`: the task was closed before the message could be sent',
    }),
    attempts: z.int().meta({ description: 'Attempts since the last success' }),
    failure: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ChannelMessage' })
export type ChannelMessageView = z.output<typeof channelMessage>

export const channelMessagePage = pageSchema(channelMessage)

export const channelAccount = z
  .object({
    channel: z.string(),
    type: z.enum(CHANNEL_TYPES),
    external_id: z.string().nullable().meta({ description: 'Id of your user at the service. Null: not linked' }),
    linked_at: timestamp.nullable(),
  })
  .meta({ id: 'ChannelAccount' })
export type ChannelAccountView = z.output<typeof channelAccount>

export const channelAccounts = z.object({ data: z.array(channelAccount) }).meta({ id: 'ChannelAccounts' })

export const linkCode = z
  .object({
    code: z.string(),
    expires_at: timestamp,
    instructions: z.string().meta({ description: 'Steps that link the account' }),
  })
  .meta({ id: 'LinkCode' })
export type LinkCode = z.output<typeof linkCode>

const events = z.array(z.enum(NOTIFIED_EVENTS)).max(NOTIFIED_EVENTS.length)

export const notificationRulesQuery = pageQuery.extend({
  subject: principalName.optional().meta({ description: 'A member or a group' }),
})

export const notificationRuleBody = z.strictObject({
  subject: principalName.meta({ description: 'The member or group that receives its tasks' }),
  channel: channelName,
  conversation: z
    .string()
    .regex(/^[CG][A-Z0-9]{2,30}$/, 'must be the id of a Slack conversation such as C012AB3CD')
    .optional()
    .meta({
      description: 'The conversation for a group. A member receives direct messages through the linked account.',
    }),
  includes_groups: z
    .boolean()
    .default(true)
    .meta({ description: "Whether a member also receives the tasks of the member's groups" }),
  events: events.optional().meta({ description: 'Events to send. Default: all' }),
  calendar: line(60)
    .optional()
    .meta({ description: 'Working calendar. Outside of its working hours, messages wait. Default: no quiet hours' }),
  urgent: events.default([]).meta({ description: 'Events that are also sent outside of working hours' }),
  digest: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to send a list of open tasks at the start of each working day' }),
})
export type NotificationRuleFields = z.output<typeof notificationRuleBody>

export const notificationRuleParams = z.object({ subject: line(), channel: channelName })

export const notificationRule = z
  .object({
    subject: z.string(),
    channel: z.string(),
    conversation: z.string().nullable(),
    includes_groups: z.boolean(),
    events: events.nullable().meta({ description: 'Events that are sent. Null: all' }),
    calendar: z.string().nullable(),
    urgent: events,
    digest_due_at: timestamp.nullable().meta({ description: 'Time of the next digest. Null: no digests' }),
    updated_by: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'NotificationRule' })
export type NotificationRuleView = z.output<typeof notificationRule>

export const notificationRulePage = pageSchema(notificationRule)

/** Depends on the service. Most requests get an empty object. */
export const channelReply = z.record(z.string(), jsonValue).meta({ id: 'ChannelReply' })
