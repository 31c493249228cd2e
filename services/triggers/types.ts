import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Firing, FiringDecision } from '../../domain/triggers/firing.ts'
import type { HealthReport } from '../../domain/triggers/health.ts'
import type { TriggerTypeName } from '../../domain/triggers/types/index.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { ProductService, ProductView } from '../resources/products/types.ts'

/** An event of a trigger. */
export interface FireRequest {
  workspaceId: string
  triggerId: string
  /** The fields of the type. `type`, `at` and `trigger` are added. */
  event: JsonObject
  /** Two events with the same key start one run. */
  dedupeKey: string
  /** What makes it fire. Default: the type of the trigger. */
  source?: TriggerTypeName
  /** When it happened (ISO 8601). Default: now. */
  at?: string
  /** Number of triggers that led to this event. */
  depth?: number
  /** Who has caused the event. They are behind the run, with those behind them. */
  people?: string[]
  /** Who fires it by request. Default: the trigger itself, with the rights of its brain. */
  principal?: Principal
  /** The workflow that waits for the end of the run. */
  workflowId?: string
  /** Whether an event whose key is taken gets a row of its own. Not for callers that repeat what they could not finish. */
  logDuplicates?: boolean
}

/**
 * Decides about an event and starts at most one run for it, however often it is called with the same key. Throws NotFound
 * for a trigger that is deleted or unknown, and Unavailable when the decision is not stored: the caller may repeat it. A
 * firing whose run could not be started yet is returned as fired, and started later.
 */
export type FireTrigger = (request: FireRequest) => Promise<Firing>

/** A trigger with its state. */
export interface TriggerView extends ProductView, HealthReport {
  last_fired_at: string | null
  /** When it fires next; null for a trigger without a schedule, or one that is paused. */
  next_fire_at: string | null
}

/** A firing as the API shows it. */
export type FiringView = Firing

export interface ManualFire {
  input?: JsonValue
  /** Fields of the event, for a trigger of another type. */
  event?: JsonObject
}

export interface TriggersService extends ProductService<TriggerView> {
  /**
   * Fires a trigger by request. Throws ValidationError when the mapping does not fit, RateLimited above a limit of the
   * trigger, and Conflict when the target cannot be started.
   */
  fire(principal: Principal, idOrSlug: string, request: ManualFire, idempotency?: Idempotency): Promise<FiringView>
  runs(
    principal: Principal,
    idOrSlug: string,
    filter: { decision?: FiringDecision; limit: number; offset: number },
  ): Promise<{ data: FiringView[]; total: number }>
  /**
   * Fires for the times of a period of a schedule, as if they came now; those that have fired are left out. Throws Conflict
   * for a trigger that is paused or has no schedule.
   */
  backfill(principal: Principal, idOrSlug: string, period: { from: string; to: string }): Promise<{ times: number }>
  /** The next times of a schedule (ISO 8601), without jitter; none for other types. */
  preview(principal: Principal, idOrSlug: string): Promise<{ times: string[]; time_zone: string | null }>
}
