import { writeAudit } from '../../../data/audit/audit-store.ts'
import { type Channel, findChannel } from '../../../data/channels/channels-store.ts'
import {
  deleteNotificationRule,
  findNotificationRule,
  listNotificationRules,
  saveNotificationRule,
} from '../../../data/channels/notification-rules-store.ts'
import { findCalendar } from '../../../data/people/calendars-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import type { NotificationRuleFields, NotificationRuleView } from '../../../contract/channels/notification-rule.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import { isGroupName, type Principal } from '../../../domain/access/principal.ts'
import type { ChannelType } from '../../../domain/channels/channel.ts'
import type { WorkingCalendar } from '../../../domain/people/working-time.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import { Forbidden, NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { listUnknownNames } from '../../people/unknown-names.ts'
import { findNextDigest } from './digest-time.ts'
import { getChannel } from '../open-channel.ts'

/**
 * Rules that say where members and groups receive their tasks. Everyone may change their own rules. All other changes
 * need the permission `access:manage`.
 */
export interface NotificationRulesService {
  list(
    principal: Principal,
    filter: PageQuery & { subject?: string },
  ): Promise<{ data: NotificationRuleView[]; total: number }>
  /** Throws ValidationError for an unknown subject or channel, and Forbidden for another person's rule. */
  save(principal: Principal, fields: NotificationRuleFields): Promise<NotificationRuleView>
  /** Throws NotFound, and Forbidden for another person's rule. */
  remove(principal: Principal, rule: { subject: string; channel: string }): Promise<void>
}

export function createNotificationRules({ db }: { db: Database }): NotificationRulesService {
  return {
    async list({ workspace_id }, filter) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx => listNotificationRules(tx, filter))
      return { data: rows, total }
    },

    save: (principal, fields) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { subject, conversation = null, includes_groups, events = null, calendar = null, urgent, digest } = fields
        checkSubject(principal, subject)
        const { channel, hours } = await checkFields(tx, fields)
        const channel_id = channel.id
        const before = await findNotificationRule(tx, subject, channel_id)
        const { actor } = principal
        const digest_due_at = digest ? findNextDigest(hours, new Date()) : null
        const rule = { subject, channel_id, conversation, includes_groups, events, calendar, urgent, digest_due_at }
        const after = await saveNotificationRule(tx, { ...rule, actor })
        await writeAudit(tx, principal, {
          action: before ? 'notification_rule.update' : 'notification_rule.create',
          target: subject,
          ...(before ? { before, after } : { after }),
        })
        return after
      }),

    remove: (principal, { subject, channel }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { id } = await getChannel(tx, channel)
        const before = await findNotificationRule(tx, subject, id)
        if (!before) throw new NotFound('The notification rule')
        checkSubject(principal, subject)
        await deleteNotificationRule(tx, subject, id)
        await writeAudit(tx, principal, { action: 'notification_rule.delete', target: subject, before })
      }),
  }
}

/** All events, at any time. */
const DEFAULT_RULE = {
  conversation: null,
  includes_groups: true,
  events: null,
  calendar: null,
  urgent: [],
  digest_due_at: null,
}

/** Notifies a member in a channel, unless a rule already says how. */
export async function ensureNotificationRule(tx: Tx, actor: string, channelId: string): Promise<void> {
  if (await findNotificationRule(tx, actor, channelId)) return
  await saveNotificationRule(tx, { ...DEFAULT_RULE, subject: actor, channel_id: channelId, actor })
}

function checkSubject({ actor, permissions }: Principal, subject: string): void {
  if (subject !== actor && !permissions.has('access:manage'))
    throw new Forbidden(`You need the permission "access:manage" to change the notifications of ${subject}`)
}

/** How conversations look in channels where a group has its own. */
const CONVERSATION_RULES: Partial<Record<ChannelType, string>> = {
  slack: 'must be the id of a Slack conversation such as C012AB3CD',
  email: 'must be an email address',
}

/** Returns the channel and the calendar of a valid rule. Throws ValidationError. */
async function checkFields(
  tx: Tx,
  { subject, channel: channelName, conversation, calendar }: NotificationRuleFields,
): Promise<{ channel: Channel; hours: WorkingCalendar | undefined }> {
  const problems = await listUnknownNames(tx, [subject], () => '/subject')
  const channel = await findChannel(tx, channelName)
  const hours = calendar === undefined ? undefined : await findCalendar(tx, calendar)
  if (calendar !== undefined && !hours)
    problems.push({ pointer: '/calendar', message: 'must be the name of a working calendar' })
  if (!channel) problems.push({ pointer: '/channel', message: 'must be the name of a channel' })
  if (channel) problems.push(...checkConversation(channel.type, subject, conversation))
  if (!channel || problems.length > 0) throw new ValidationError('The notification rule is invalid', problems)
  return { channel, hours }
}

function checkConversation(type: ChannelType, subject: string, conversation: string | undefined): Problem[] {
  const isGroup = isGroupName(subject)
  const rule = CONVERSATION_RULES[type]
  const problem = (message: string) => [{ pointer: '/conversation', message }]
  if (isGroup && type === 'web_push')
    return [{ pointer: '/subject', message: 'must be a member: groups have no browsers' }]
  if (conversation === undefined) return isGroup && rule !== undefined ? problem('is required for a group') : []
  if (!isGroup || rule === undefined) return problem('must be absent, except for a group in a Slack or email channel')
  return (type === 'email') === conversation.includes('@') ? [] : problem(rule)
}
