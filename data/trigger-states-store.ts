import type { FiringDecision } from '../domain/triggers/firing.ts'
import type { TriggerHealth } from '../domain/triggers/health.ts'
import type { Tx } from './database.ts'
import { COLUMNS as RESOURCE_COLUMNS, type Resource } from './resources-store.ts'

export interface TriggerState {
  trigger_id: string
  /** ISO 8601, as all times. */
  last_fired_at: string | null
  last_decision: FiringDecision | null
  last_reason: string | null
  last_decided_at: string | null
  failed_runs: number
  sync_error: string | null
  health: TriggerHealth
  health_reason: string | null
}

const COLUMNS = `trigger_id, last_fired_at, last_decision, last_reason, last_decided_at, failed_runs, sync_error, health,
  health_reason`

export async function findTriggerStates(tx: Tx, ids: string[]): Promise<Map<string, TriggerState>> {
  const found = await tx.query<TriggerState[]>(
    `select ${COLUMNS} from trigger_states where trigger_id = any($1::uuid[])`,
    [ids],
  )
  return new Map(found.map(state => [state.trigger_id, state]))
}

/**
 * Returns a live trigger. Its firings wait for each other until the transaction ends. The head is locked first, as by a
 * save, so that they do not wait for each other in a circle.
 */
export async function lockTrigger(tx: Tx, id: string): Promise<Resource | undefined> {
  const [[head]] = await Promise.all([
    tx.query<Resource[]>(
      `select ${RESOURCE_COLUMNS} from resources
        where id = $1 and kind = 'triggers' and deleted_at is null for key share`,
      [id],
    ),
    tx.query('select from trigger_states where trigger_id = $1 for update', [id]),
  ])
  return head
}

/** Notes a decision about an event. */
export async function noteDecision(
  tx: Tx,
  triggerId: string,
  { decision, reason }: { decision: FiringDecision; reason: string | null },
): Promise<void> {
  await tx.query(
    `update trigger_states
        set last_decision = $2, last_reason = $3, last_decided_at = now(),
            last_fired_at = case when $2 = 'fired' then now() else last_fired_at end
      where trigger_id = $1`,
    [triggerId, decision, reason],
  )
}

/** The person who saved the present version of a resource, as far as the audit log knows; else its author. */
export async function findLastAuthor(tx: Tx, { id, version }: Pick<Resource, 'id' | 'version'>): Promise<string> {
  const [found] = await tx.query<{ person: string }[]>(
    `select coalesce((select person from audit_log
                       where target = $1::text and action in ('trigger.create', 'trigger.update')
                       order by at desc, id desc limit 1), author) as person
       from resource_versions where resource_id = $1::uuid and version = $2`,
    [id, version],
  )
  return found?.person ?? 'unknown'
}
