import type { Logger } from 'pino'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  deleteTriggerEvent,
  type DueTriggerEvent,
  findNextTriggerEvent,
  leaseTriggerEvents,
} from '../../../data/triggers/trigger-events-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import { createSemaphore } from '../../../domain/shared/fairness/semaphore.ts'
import { createLoop, drain, type Loop } from '../../shared/loop.ts'
import type { FireTrigger } from '../fire.ts'
import { findOrigin, listPeople, MAX_CHAIN_LENGTH } from './causes.ts'
import { decide, buildFiredEvent, buildFiringKey } from './decide.ts'
import type { RouteMessage } from './route-message.ts'

interface Deps {
  db: Database
  fire: FireTrigger
  routeMessage: RouteMessage
  log: Logger
}

/** Maximum number of events fired per workspace and round, so that other workspaces are not delayed. */
const PER_WORKSPACE = 20
const MAX_AT_ONCE = 8
const LEASE_SECONDS = 30
const MAX_LEASE_SECONDS = 3_600
const IDLE_MS = 2_000
const MIN_WAIT_MS = 50

/**
 * Fires triggers for their queued events. Several processes may run the loop. An event leaves the queue after its
 * firing is stored. If a process is killed in between, the event fires again with the same key, so no second run
 * starts.
 */
export function createTriggerEventFiring({ db, fire, routeMessage, log }: Deps): Loop {
  const firings = createSemaphore(MAX_AT_ONCE)

  async function settle(due: DueTriggerEvent): Promise<void> {
    const { id, workspace_id: workspaceId, trigger_id: triggerId, dedupe_key, at } = due
    const origin = await db.inWorkspace(workspaceId, tx => decideByOrigin(tx, due))
    if (origin.isDecided) return
    if ((await routeMessage(due)) !== 'passes') return
    const event = buildFiredEvent(due)
    const people = await db.inWorkspace(workspaceId, tx => listPeople(tx, due))
    const request = {
      workspaceId,
      triggerId,
      event,
      dedupeKey: buildFiringKey(dedupe_key),
      at,
      depth: origin.depth,
      people,
    }
    await fire(request).catch((error: unknown) => {
      // The trigger was deleted in the meantime.
      if (!(error instanceof NotFound)) throw error
    })
    await db.inWorkspace(workspaceId, tx => deleteTriggerEvent(tx, id))
  }

  async function settleOrLog(due: DueTriggerEvent): Promise<void> {
    const { id, workspace_id, trigger_id } = due
    const release = await firings.acquire(AbortSignal.timeout(LEASE_SECONDS * 1_000), workspace_id)
    try {
      await settle(due)
    } catch (err) {
      log.warn({ err, workspace_id, trigger_id, event_id: id }, 'firing an event failed; retrying')
    } finally {
      release()
    }
  }

  const limits = { perWorkspace: PER_WORKSPACE, leaseSeconds: LEASE_SECONDS, maxLeaseSeconds: MAX_LEASE_SECONDS }
  const lease = () => db.system(tx => leaseTriggerEvents(tx, limits))

  const findWaitMs = async () => {
    const next = await db.system(findNextTriggerEvent)
    return Math.max(MIN_WAIT_MS, Math.min(IDLE_MS, next ?? IDLE_MS))
  }

  return createLoop({
    name: 'firing events',
    idleMs: IDLE_MS,
    log,
    async round(signal) {
      await drain(signal, lease, settleOrLog)
      return findWaitMs()
    },
  })
}

/**
 * Discards events that must not fire: events caused by the trigger's own runs, and events at the end of a chain of
 * triggers.
 */
async function decideByOrigin(tx: Tx, due: DueTriggerEvent): Promise<{ isDecided: boolean; depth: number }> {
  const { isOwn, depth } = await findOrigin(tx, due.trigger_id, due.causes)
  if (isOwn) await decide(tx, due, { decision: 'filtered', reason: "The trigger's own run caused the event", depth })
  else if (depth >= MAX_CHAIN_LENGTH)
    await decide(tx, due, {
      decision: 'limited',
      reason: `The event is the result of ${depth} chained triggers; a chain ends after ${MAX_CHAIN_LENGTH}`,
      depth,
    })
  else return { isDecided: false, depth }
  return { isDecided: true, depth }
}
