import { randomUUID } from 'node:crypto'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { listFirings } from '../../data/triggers/trigger-firings-store.ts'
import { findTriggerStates } from '../../data/triggers/trigger-states-store.ts'
import { Conflict, RateLimited, ValidationError } from '../../domain/shared/errors.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'
import type { HealthReport } from '../../domain/triggers/health.ts'
import { findNext, listTimes } from '../../domain/triggers/schedule/times.ts'
import { readScheduleTimes } from '../../domain/triggers/types/schedule.ts'
import type { ProductView } from '../../contract/resources/product.ts'
import type { FiringsQuery, FiringView } from '../../contract/triggers/firing.ts'
import type { TriggerView, ManualFire } from '../../contract/triggers/trigger.ts'
import { checkWritable, inBrain } from '../access/brains.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import { createProduct, type ProductService } from '../resources/product.ts'
import { getHead } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/resources.ts'
import { readHealth } from './health.ts'
import type { TriggerSchedules } from './schedules/sync.ts'
import type { TriggerFiring } from './fire.ts'

export interface TriggersService extends ProductService<TriggerView> {
  /**
   * Fires a trigger manually. Throws ValidationError if the mapping does not match, RateLimited if a trigger limit is
   * exceeded, and Conflict if the target cannot be started.
   */
  fire(principal: Principal, idOrSlug: string, request: ManualFire, idempotency?: Idempotency): Promise<FiringView>
  runs(principal: Principal, idOrSlug: string, filter: FiringsQuery): Promise<{ data: FiringView[]; total: number }>
  /**
   * Fires for a schedule's times in a period as if they occurred now. Skips times that have already fired. Throws
   * Conflict for a trigger that is paused or has no schedule.
   */
  backfill(principal: Principal, idOrSlug: string, period: { from: string; to: string }): Promise<{ times: number }>
  /** Returns a schedule's next times (ISO 8601), without jitter. The list is empty for other trigger types. */
  preview(principal: Principal, idOrSlug: string): Promise<{ times: string[]; time_zone: string | null }>
}

interface Deps {
  db: Database
  resources: ResourcesService
  firing: Pick<TriggerFiring, 'fire'>
  schedules: Pick<TriggerSchedules, 'backfill' | 'checkThere'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

/** Number of times in a preview. */
const PREVIEWED = 20
/** Maximum number of times in a backfill. */
const MAX_BACKFILL = 1_000

const periodError = (message: string) => new ValidationError(`The period ${message}`, [{ pointer: '/to', message }])

export function createTriggers({ db, resources, firing, schedules, idempotencyKeys }: Deps): TriggersService {
  const product = createProduct(resources, 'triggers')

  /** Adds the triggers' states, with a few queries in total. */
  const withStates = (principal: Principal, views: ProductView[]): Promise<TriggerView[]> =>
    views.length === 0
      ? Promise.resolve([])
      : db.inWorkspace(principal.workspace_id, tx => presentAll(tx, principal, views))

  async function withState(principal: Principal, view: ProductView): Promise<TriggerView> {
    const [viewWithState] = await withStates(principal, [view])
    return viewWithState as TriggerView
  }

  const findHead = (principal: Principal, idOrSlug: string) =>
    db.inWorkspace(principal.workspace_id, tx => getHead(tx, principal, { kind: 'triggers', idOrSlug }))

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
      checkWritable(principal, head.brain_id)
      await db.inWorkspace(principal.workspace_id, tx => idempotencyKeys.claim(tx, idempotency, head.id))
      const newFiring = await firing.fire({
        workspaceId: principal.workspace_id,
        triggerId: head.id,
        event: { ...event, input, by: principal.actor } satisfies JsonObject,
        dedupeKey: `request:${idempotency?.key ?? randomUUID()}`,
        source: 'manual',
        // The runs belong to the trigger's brain.
        principal: inBrain(principal, head.brain_id),
      })
      return throwUnlessDecided(newFiring)
    },

    async runs(principal, idOrSlug, filter) {
      const { id } = await findHead(principal, idOrSlug)
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx =>
        listFirings(tx, { trigger_id: id, ...filter }),
      )
      return { data: rows, total }
    },

    async preview(principal, idOrSlug) {
      const { schedule } = (await findHead(principal, idOrSlug)).document as TriggerDocument
      if (!schedule) return { times: [], time_zone: null }
      const times = listTimes(readScheduleTimes(schedule), Date.now(), PREVIEWED)
      return { times: times.map(time => new Date(time).toISOString()), time_zone: schedule.time_zone }
    },

    async backfill(principal, idOrSlug, { from, to }) {
      const head = await findHead(principal, idOrSlug)
      checkWritable(principal, head.brain_id)
      const { schedule, paused } = head.document as TriggerDocument
      if (!schedule) throw new Conflict('The trigger has no schedule')
      if (paused || !head.is_active) throw new Conflict('The trigger is paused')
      const [start, end] = [Date.parse(from), Date.parse(to)]
      const times = start < end ? listTimes(readScheduleTimes(schedule), start - 1, MAX_BACKFILL + 1) : []
      const within = times.filter(time => time <= end)
      if (within.length === 0 || end > Date.now())
        throw periodError(end > Date.now() ? 'must be in the past' : 'must contain at least one scheduled time')
      if (within.length > MAX_BACKFILL) throw periodError(`must contain at most ${MAX_BACKFILL} scheduled times`)
      await schedules.checkThere(head.id)
      await db.inWorkspace(principal.workspace_id, tx =>
        writeAudit(tx, principal, {
          action: 'trigger.backfill',
          target: head.id,
          brain_id: head.brain_id,
          details: { from, to, times: within.length, people: principal.people },
        }),
      )
      await schedules.backfill(head.id, { start: new Date(start - 1_000), end: new Date(end) }, schedule.overlap)
      return { times: within.length }
    },
  }
}

/** Throws the error for a manual firing that started no run. The firing is stored even if an error is thrown. */
export function throwUnlessDecided(firing: FiringView): FiringView {
  const { decision, reason } = firing
  if (decision === 'failed_mapping') throw new ValidationError(reason ?? 'The mapping does not match the target')
  if (decision === 'limited') throw new RateLimited(reason ?? 'A trigger limit is reached')
  if (decision === 'target_missing' || decision === 'refused')
    throw new Conflict(reason ?? 'The target cannot be started')
  return firing
}

async function presentAll(tx: Tx, principal: Principal, views: ProductView[]): Promise<TriggerView[]> {
  const heads = views.map(view => ({ ...view, document: view }))
  const states = await findTriggerStates(
    tx,
    views.map(({ id }) => id),
  )
  const reports = await readHealth(tx, principal, heads, states)
  return views.map((view, i) => {
    const { health, health_reason } = reports[i] as HealthReport
    const last_fired_at = states.get(view.id)?.last_fired_at ?? null
    return { ...view, health, health_reason, last_fired_at, next_fire_at: findNextFire(view) }
  })
}

/** Returns a schedule's next fire time, or null while the schedule is paused. */
function findNextFire({ is_active, deleted_at, ...view }: ProductView): string | null {
  const { schedule, paused } = view as unknown as TriggerDocument
  if (!schedule || paused || !is_active || deleted_at !== null) return null
  const next = findNext(readScheduleTimes(schedule), Date.now())
  return next === undefined ? null : new Date(next).toISOString()
}
