import { FAILURES, type Firing, type FiringDecision } from '../../domain/triggers/firing.ts'
import type { Tx } from '../shared/database.ts'
import { setPublisherRole } from '../webhooks/event-outbox-store.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import { toJsonOrNull } from '../shared/json-text.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

/** A firing with what only the service needs. */
export interface StoredFiring extends Firing {
  /** The workflow that waits for the end of the run. */
  workflow_id: string | null
  /** Everyone behind the run, and of what has none, who caused the event. */
  people: string[]
}

export type NewFiring = Omit<StoredFiring, 'created_at' | 'replay_of'> & { brain_id: string | null }

const COLUMNS = `id, trigger_id, trigger_version, source, decision, reason, job_id, dedupe_key, duplicate_of, replay_of, depth,
  fired_by, event, input, created_at`
const STORED_COLUMNS = `${COLUMNS}, workflow_id, people`

/** How long the process that fires has for the start of the run, before another one starts it. */
const START_SECONDS = 15

/** Inserts a firing. Returns undefined when another one has its key. */
export async function insertFiring(tx: Tx, firing: NewFiring): Promise<StoredFiring | undefined> {
  const { event, reason } = firing
  const [inserted] = await tx.query<StoredFiring[]>(
    `insert into trigger_firings (id, brain_id, trigger_id, trigger_version, source, decision, reason, job_id, dedupe_key,
                                  duplicate_of, depth, fired_by, event, input, workflow_id, people, start_due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
             case when $6 = 'fired' then now() + make_interval(secs => ${START_SECONDS}) end)
     on conflict (trigger_id, dedupe_key) where decision <> 'duplicate' do nothing
     returning ${STORED_COLUMNS}`,
    [
      firing.id,
      firing.brain_id,
      firing.trigger_id,
      firing.trigger_version,
      firing.source,
      firing.decision,
      reason === null ? null : toStorableText(reason),
      firing.job_id,
      firing.dedupe_key,
      firing.duplicate_of,
      firing.depth,
      firing.fired_by,
      event === null ? null : toStorableJson(event),
      toJsonOrNull(firing.input),
      firing.workflow_id,
      firing.people,
    ],
  )
  return inserted
}

/** Finds the firing that has the key. */
export async function findFiringByKey(tx: Tx, triggerId: string, dedupeKey: string): Promise<StoredFiring | undefined> {
  const [found] = await tx.query<StoredFiring[]>(
    `select ${STORED_COLUMNS} from trigger_firings where trigger_id = $1 and dedupe_key = $2 and decision <> 'duplicate'`,
    [triggerId, dedupeKey],
  )
  return found
}

export async function findFiring(tx: Tx, triggerId: string, id: string): Promise<StoredFiring | undefined> {
  const [found] = await tx.query<StoredFiring[]>(
    `select ${STORED_COLUMNS} from trigger_firings where trigger_id = $1 and id = $2`,
    [triggerId, id],
  )
  return found
}

/** Returns a page of the firings of a trigger, latest first. */
export async function listFirings(
  tx: Tx,
  filter: { trigger_id: string; decision?: FiringDecision; limit: number; offset: number },
): Promise<Page<Firing>> {
  const conditions = createFilter()
  conditions.where('trigger_id = ?', filter.trigger_id)
  conditions.where('decision = ?', filter.decision)
  const { limit, offset } = filter
  const query = { columns: COLUMNS, from: 'trigger_firings', order: 'created_at desc, id desc', limit, offset }
  return readPage<Firing>(tx, query, conditions)
}

/** The numbers of decisions of the last 24 hours, by trigger. */
export async function countRecentFirings(
  tx: Tx,
  triggerIds: string[],
): Promise<Map<string, Partial<Record<FiringDecision, number>>>> {
  const found = await tx.query<{ trigger_id: string; decision: FiringDecision; count: number }[]>(
    `select trigger_id, decision, count(*)::integer as count from trigger_firings
      where trigger_id = any($1::uuid[]) and created_at > now() - interval '1 day' group by trigger_id, decision`,
    [triggerIds],
  )
  const counts = new Map<string, Partial<Record<FiringDecision, number>>>()
  for (const { trigger_id, decision, count } of found)
    counts.set(trigger_id, { ...counts.get(trigger_id), [decision]: count })
  return counts
}

/** How many events of a trigger were decided in the 24 hours up to its latest decision, and how many of them failed. */
interface FailureRate {
  trigger_id: string
  events: number
  failures: number
}

/** Counts what happened by itself, without duplicates and filtered events. */
export async function readFailureRates(tx: Tx, triggerIds: string[]): Promise<Map<string, FailureRate>> {
  if (triggerIds.length === 0) return new Map()
  const found = await tx.query<FailureRate[]>(
    `select trigger_id, count(*)::integer as events, count(*) filter (where decision = any($2))::integer as failures
       from trigger_firings join trigger_states using (trigger_id)
      where trigger_id = any($1::uuid[]) and created_at > last_decided_at - interval '1 day'
        and source <> 'manual' and decision not in ('duplicate', 'filtered', 'paused')
      group by trigger_id`,
    [triggerIds, FAILURES],
  )
  return new Map(found.map(rate => [rate.trigger_id, rate]))
}

/** What a trigger has used of its limits. */
export interface TriggerUse {
  runs_last_hour: number
  open_runs: number
  usd_this_month: number
}

export async function readTriggerUse(tx: Tx, triggerId: string): Promise<TriggerUse> {
  const [used] = await tx.query<TriggerUse[]>(
    `select (select count(*) from trigger_firings
              where trigger_id = $1 and decision = 'fired' and created_at > now() - interval '1 hour')::integer
              as runs_last_hour,
            count(*) filter (where status not in ('completed', 'failed'))::integer as open_runs,
            coalesce(sum((usage->>'usd')::numeric)
              filter (where created_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc'), 0)::float
              as usd_this_month
       from jobs where trigger_id = $1`,
    [triggerId],
  )
  return used as TriggerUse
}

/** Notes that the run of a firing has begun. */
export async function noteStarted(tx: Tx, id: string): Promise<void> {
  await tx.query('update trigger_firings set start_due_at = null where id = $1', [id])
}

/** Notes that the run of a firing cannot begin. */
export async function refuseFiring(
  tx: Tx,
  id: string,
  { decision, reason }: Pick<Firing, 'decision' | 'reason'>,
): Promise<void> {
  await tx.query('update trigger_firings set start_due_at = null, decision = $2, reason = $3 where id = $1', [
    id,
    decision,
    reason,
  ])
}

/** A firing whose run has perhaps not begun. */
export interface UnstartedFiring {
  id: string
  trigger_id: string
  workspace_id: string
}

/** Leases firings of all workspaces whose run has not begun in time, oldest first. */
export async function leaseUnstartedFirings(
  tx: Tx,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<UnstartedFiring[]> {
  const [, [rows]] = await Promise.all([
    setPublisherRole(tx),
    tx.query<[UnstartedFiring[], number]>(
      `update trigger_firings set start_due_at = now() + make_interval(secs => $2)
        where id = any (array(select id from trigger_firings where start_due_at <= now()
                               order by start_due_at limit $1 for update skip locked))
       returning id, trigger_id, workspace_id`,
      [limit, leaseSeconds],
    ),
  ])
  return rows
}

/** Deletes up to `limit` firings of triggers. Returns their number. */
export async function deleteFiringsOf(tx: Tx, triggerIds: string[], limit: number): Promise<number> {
  const [, count] = await tx.query<[unknown, number]>(
    `delete from trigger_firings where id = any(array(
       select id from trigger_firings where trigger_id = any($1::uuid[]) limit $2))`,
    [triggerIds, limit],
  )
  return count
}
