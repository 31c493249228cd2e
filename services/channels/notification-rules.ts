import { writeAudit } from '../../data/audit/audit-store.ts'
import { findChannel } from '../../data/channels/channels-store.ts'
import {
  deleteNotificationRule,
  findNotificationRule,
  listNotificationRules,
  saveNotificationRule,
} from '../../data/channels/notification-rules-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import type { NotificationRuleFields, NotificationRuleView } from '../../contract/channels/channel.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { isGroupName, type Principal } from '../../domain/access/principal.ts'
import { Forbidden, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import { listUnknownNames } from '../people/unknown-names.ts'
import { getChannel } from './open-channel.ts'

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
        const { subject, conversation = null, includes_groups } = fields
        checkSubject(principal, subject)
        const { id: channel_id } = await checkFields(tx, fields)
        const before = await findNotificationRule(tx, subject, channel_id)
        const { actor } = principal
        const after = await saveNotificationRule(tx, { subject, channel_id, conversation, includes_groups, actor })
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

function checkSubject({ actor, permissions }: Principal, subject: string): void {
  if (subject !== actor && !permissions.has('access:manage'))
    throw new Forbidden(`You need the permission "access:manage" to change the notifications of ${subject}`)
}

/** Returns the channel of a valid rule. Throws ValidationError. */
async function checkFields(
  tx: Tx,
  { subject, channel, conversation }: NotificationRuleFields,
): Promise<{ id: string }> {
  const problems = await listUnknownNames(tx, [subject], () => '/subject')
  const existing = await findChannel(tx, channel)
  if (!existing) problems.push({ pointer: '/channel', message: 'must be the name of a channel' })
  if (isGroupName(subject) && conversation === undefined)
    problems.push({ pointer: '/conversation', message: 'is required for a group' })
  if (!isGroupName(subject) && conversation !== undefined)
    problems.push({ pointer: '/conversation', message: 'must only be set for a group' })
  if (!existing || problems.length > 0) throw new ValidationError('The notification rule is invalid', problems)
  return existing
}
