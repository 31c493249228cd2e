import { randomUUID } from 'node:crypto'
import type { Database } from '../../../data/shared/database.ts'
import { findFiring } from '../../../data/triggers/trigger-firings-store.ts'
import { Conflict, NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import { checkWritable, inBrain } from '../../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../../shared/idempotency.ts'
import { getHead } from '../../resources/finding.ts'
import { throwUnlessDecided } from '../triggers.ts'
import type { FireTrigger } from '../fire.ts'

/**
 * Fires a trigger again with an earlier firing's event. Uses the trigger's current version, even if the trigger is
 * paused. Throws NotFound, Forbidden for a trigger whose brain the principal may not change, Conflict for a firing
 * without an event, and the same errors as `fire`.
 */
export type ReplayFiring = (
  principal: Principal,
  firing: { trigger: string; id: string },
  idempotency?: Idempotency,
) => Promise<FiringView>

interface Deps {
  db: Database
  fire: FireTrigger
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

export const createReplayFiring =
  ({ db, fire, idempotencyKeys }: Deps): ReplayFiring =>
  async (principal, { trigger, id }, idempotency) => {
    const { workspace_id: workspaceId } = principal
    const { head, firing } = await db.inWorkspace(workspaceId, async tx => {
      const head = await getHead(tx, principal, { kind: 'triggers', idOrSlug: trigger })
      checkWritable(principal, head.brain_id)
      await idempotencyKeys.claim(tx, idempotency, id)
      const firing = isUuid(id) ? await findFiring(tx, head.id, id) : undefined
      if (!firing) throw new NotFound('Firing')
      return { head, firing }
    })
    const { event, source, depth, duplicate_of, people } = firing
    if (event === null)
      throw new Conflict(
        duplicate_of === null
          ? 'The firing has no event'
          : `The firing is a duplicate of ${duplicate_of}: replay that firing`,
      )
    const at = typeof event.at === 'string' ? event.at : undefined
    const dedupeKey = `replay:${firing.id}:${idempotency?.key ?? randomUUID()}`
    const replayed = await fire({
      workspaceId,
      triggerId: head.id,
      event,
      dedupeKey,
      source,
      at,
      depth,
      people,
      principal: inBrain(principal, head.brain_id),
    })
    return throwUnlessDecided(replayed)
  }
