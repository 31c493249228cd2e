import { findOwnSlug } from '../../data/access/access-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { listPeopleBehind } from '../../data/people/people-store.ts'
import { findAuthorPermissions, type Resource } from '../../data/resources/resources-store.ts'
import { findLastAuthor } from '../../data/triggers/trigger-states-store.ts'
import { type Principal, buildTriggerName } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'

/**
 * Returns the principal for a trigger's runs. The principal sees the trigger's brain. Runs of a workspace trigger see
 * the entire workspace, so only people with that access may save such a trigger. The person behind the runs is the
 * trigger's author, with the permissions that the author had at the time of the save.
 */
export async function findTriggerPrincipal(tx: Tx, workspaceId: string, head: Resource): Promise<Principal> {
  const { id, slug, brain_id } = head
  const { author, person } = await findLastAuthor(tx, head)
  return {
    workspace_id: workspaceId,
    workspace_slug: (await findOwnSlug(tx, workspaceId)) ?? '',
    key_id: `trigger:${id}`,
    actor: buildTriggerName(slug),
    person,
    people: await listPeopleBehind(tx, [person, author]),
    groups: [],
    permissions: new Set(await findAuthorPermissions(tx, head)),
    brain_ids: brain_id === null ? null : [brain_id],
    brain: { id: brain_id, isExplicit: true },
    ...(carriesContent(head) && { labels: ['event'] }),
  }
}

/** Returns whether the trigger's events contain content from others. Schedules and manual starts contain none. */
const carriesContent = ({ document }: Resource): boolean => {
  const { trigger_type } = document as TriggerDocument
  return trigger_type !== 'schedule' && trigger_type !== 'manual'
}
