import { z } from 'zod'
import { NOTIFIED_EVENTS } from '../../domain/channels/notification.ts'
import { MAX_EMAIL } from '../access/member.ts'
import { pageSchema } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { line, principalName } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { channelName } from './channel.ts'

const SLACK_CONVERSATION = /^[CG][A-Z0-9]{2,30}$/
const CONVERSATION_RULE = 'must be the id of a Slack conversation such as C012AB3CD, or an email address'

const events = z.array(z.enum(NOTIFIED_EVENTS)).max(NOTIFIED_EVENTS.length)

export const notificationRulesQuery = pageQuery.extend({
  subject: principalName.optional().meta({ description: 'A member or a group' }),
})

export const notificationRuleBody = z.strictObject({
  subject: principalName.meta({ description: 'The member or group that receives its tasks' }),
  channel: channelName,
  conversation: z
    .string()
    .max(MAX_EMAIL)
    .regex(new RegExp(`${SLACK_CONVERSATION.source}|${z.regexes.email.source}`), CONVERSATION_RULE)
    .optional()
    .meta({
      description:
        'The conversation or address for a group. A member receives direct messages through the linked account, or mail at the address in the profile.',
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
