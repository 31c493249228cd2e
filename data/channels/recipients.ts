import type { Tx } from '../shared/database.ts'
import { execute } from '../shared/statements.ts'

/** Maximum number of recipients of one event. */
export const MAX_RECIPIENTS = 1_000

/** The channels, members and accounts of notification rules. */
export const RECIPIENTS = `
  join channels channel on channel.id = rule.channel_id
  left join members member on member.workspace_id = rule.workspace_id and member.actor = rule.subject
  left join channel_accounts account on account.channel_id = rule.channel_id and account.actor = rule.subject`

/**
 * Where a rule sends messages: to a group's conversation, or to a member's linked account. Mail goes to the address in
 * the member's profile, if no account is linked. A Teams workflow has only one conversation. Web push goes to all
 * subscribed browsers of a member. Null for none of them.
 */
export const CONVERSATION = `coalesce(rule.conversation,
  case when member.actor is not null then account.external_id end,
  case channel.type when 'teams' then channel.name when 'email' then lower(member.email)
    when 'web_push' then (select push.actor from push_subscriptions push
                           where push.channel_id = rule.channel_id and push.actor = member.actor limit 1) end)`

/** The names that are notified of a task: its assignees, and those whom escalations only notify. */
export const NOTIFIED_NAMES = `(task.assignees || array(select json_array_elements_text(task.handling -> 'notified')))`

/** Whether a rule sends a task. */
export const IS_RECIPIENT = `
  ${CONVERSATION} is not null
  and rule.subject <> all (task.excluded)
  and (rule.subject = any (${NOTIFIED_NAMES}) or (rule.includes_groups and member.groups && ${NOTIFIED_NAMES}))`

/** Returns whether the task of a message still goes to its recipient. */
export async function isRecipient(
  tx: Tx,
  { channel_id, intervention_id, recipient }: { channel_id: string; intervention_id: string | null; recipient: string },
): Promise<boolean> {
  const count = await execute(
    tx,
    `select from interventions task join notification_rules rule on rule.channel_id = $1 and rule.subject = $3
       ${RECIPIENTS} where task.id = $2 and ${IS_RECIPIENT}`,
    [channel_id, intervention_id, recipient],
  )
  return count > 0
}
