import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '../../data/database.ts'
import { listFirings } from '../../data/trigger-firings-store.ts'
import { findTriggerStates } from '../../data/trigger-states-store.ts'
import { Conflict, RateLimited, ValidationError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'
import { toHealth } from '../../domain/triggers/health.ts'
import { inBrain } from '../access/brains.ts'
import type { IdempotencyKeys } from '../idempotency.ts'
import { createProduct } from '../products/product.ts'
import type { ProductView } from '../products/types.ts'
import { getHeadOrThrow } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'
import { findTargetProblem, findTargets, toTargetKey } from './targets.ts'
import type { TriggerFiring } from './fire.ts'
import type { FiringView, TriggersService, TriggerView } from './types.ts'

interface Deps {
  db: Database
  resources: ResourcesService
  firing: Pick<TriggerFiring, 'fire'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

export function createTriggers({ db, resources, firing, idempotencyKeys }: Deps): TriggersService {
  const product = createProduct(resources, 'triggers')

  /** Adds the states of the triggers, with a few queries for all of them. */
  const withStates = (principal: Principal, views: ProductView[]): Promise<TriggerView[]> =>
    views.length === 0
      ? Promise.resolve([])
      : db.inWorkspace(principal.workspace_id, tx => presentAll(tx, principal, views))

  async function withState(principal: Principal, view: ProductView): Promise<TriggerView> {
    const [shown] = await withStates(principal, [view])
    return shown as TriggerView
  }

  const findHead = (principal: Principal, idOrSlug: string) =>
    db.inWorkspace(principal.workspace_id, tx => getHeadOrThrow(tx, principal, { kind: 'triggers', idOrSlug }))

  return {
    ...product,
    async list(principal, filter) {
      const { data, total } = await product.list(principal, filter)
      return { data: await withStates(principal, data), total }
    },
    create: async (principal, fields, idempotency) =>
      withState(principal, await product.create(principal, fields, idempotency)),
    read: async (principal, idOrSlug, version) =>
      withState(principal, await product.read(principal, idOrSlug, version)),
    patch: async (principal, idOrSlug, fields, version) =>
      withState(principal, await product.patch(principal, idOrSlug, fields, version)),
    restore: async (principal, idOrSlug, options) =>
      withState(principal, await product.restore(principal, idOrSlug, options)),

    async fire(principal, idOrSlug, { input = {}, event = {} }, idempotency) {
      const head = await findHead(principal, idOrSlug)
      await db.inWorkspace(principal.workspace_id, tx => idempotencyKeys.claim(tx, idempotency, head.id))
      const decided = await firing.fire({
        workspaceId: principal.workspace_id,
        triggerId: head.id,
        event: { ...event, input, by: principal.actor } satisfies JsonObject,
        dedupeKey: `request:${idempotency?.key ?? randomUUID()}`,
        source: 'manual',
        // Its runs belong where the trigger does.
        principal: inBrain(principal, head.brain_id),
      })
      return throwUnlessDecided(decided)
    },

    async runs(principal, idOrSlug, filter) {
      const { id } = await findHead(principal, idOrSlug)
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx =>
        listFirings(tx, { trigger_id: id, ...filter }),
      )
      return { data: rows, total }
    },

    async preview(principal, idOrSlug) {
      await findHead(principal, idOrSlug)
      return { times: [], time_zone: null }
    },
  }
}

/** A request is answered with what went wrong. The firing is stored in any case. */
function throwUnlessDecided(firing: FiringView): FiringView {
  const { decision, reason } = firing
  if (decision === 'failed_mapping') throw new ValidationError(reason ?? 'The mapping does not fit')
  if (decision === 'limited') throw new RateLimited(reason ?? 'A limit of the trigger is reached')
  if (decision === 'target_missing' || decision === 'refused')
    throw new Conflict(reason ?? 'The target cannot be started')
  return firing
}

async function presentAll(tx: Tx, principal: Principal, views: ProductView[]): Promise<TriggerView[]> {
  const documents = views.map(view => view as unknown as TriggerDocument)
  const states = await findTriggerStates(
    tx,
    views.map(({ id }) => id),
  )
  const targets = await findTargets(
    tx,
    principal,
    documents.map(({ target }) => target),
  )
  const now = Date.now()
  return views.map((view, i) => {
    const { target, paused, pause_note } = documents[i] as TriggerDocument
    const state = states.get(view.id)
    const targetProblem = findTargetProblem(target, targets.get(toTargetKey(target)))
    const { last_fired_at = null, last_decision = null, last_reason = null, last_decided_at = null } = state ?? {}
    const { failed_runs = 0, sync_error = null } = state ?? {}
    const facts = { is_active: view.is_active, paused, pause_note, targetProblem, failed_runs, sync_error }
    const report = toHealth({ ...facts, last_decision, last_reason, last_decided_at }, now)
    return { ...view, ...report, last_fired_at, next_fire_at: null }
  })
}
