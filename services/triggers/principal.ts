import { findOwnSlug } from '../../data/access/access-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { listPeopleBehind } from '../../data/people/people-store.ts'
import { findAuthorPermissions, type Resource } from '../../data/resources/resources-store.ts'
import { findLastAuthor } from '../../data/triggers/trigger-states-store.ts'
import { type Principal, buildTriggerName } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'

/**
 * Returns the principal of the runs of a trigger. It sees the brain of the trigger, or with a trigger of the workspace all
 * of it, which only those may save who see it too. The person behind it is the one who saved the trigger, and its
 * permissions are those that this author had.
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

/** Whether its events have content of others. A schedule and a start by hand have none. */
const carriesContent = ({ document }: Resource): boolean => {
  const { trigger_type } = document as TriggerDocument
  return trigger_type !== 'schedule' && trigger_type !== 'manual'
}
