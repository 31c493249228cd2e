import type { Logger } from 'pino'
import { readBatches } from '../../data/shared/batches.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findResource, type Resource } from '../../data/resources/resources-store.ts'
import {
  type ChangedTrigger,
  dueAgain,
  findTriggerStates,
  leaseChangedTriggers,
  listScheduledTriggers,
  lockTrigger,
  markUnsynced,
  noteSchedule,
  noteSynced,
  saveHealth,
} from '../../data/triggers/trigger-states-store.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { createLoop, type Loop } from '../shared/loop.ts'
import type { Temporal } from '../shared/temporal.ts'
import { readHealth } from './health.ts'
import { findMissedPeriod } from './schedules/missed.ts'
import { parseScheduledTriggerId, type TriggerSchedule } from './schedules/options.ts'
import { hashSchedule, isSame, type TriggerSchedules } from './schedules/sync.ts'

/** Applies trigger changes to Temporal schedules and to the stored health. Several processes may run this loop. */
export interface TriggerFollower extends Loop {
  /** Compares all trigger schedules in Temporal with the triggers. */
  compare(): Promise<ScheduleComparison>
  /** Rewrites schedules that differ, and deletes schedules without a trigger. `all` rewrites all schedules. */
  repair(options?: {
    all?: boolean
    signal?: AbortSignal
  }): Promise<{ schedules: number; written: number; removed: number }>
}

/** Differences between the triggers and their schedules in Temporal. */
export interface ScheduleComparison {
  /** Triggers that have a schedule. */
  scheduled: { workspace_id: string; trigger_id: string }[]
  /** Triggers whose schedule is missing or differs in Temporal. */
  differing: { workspace_id: string; trigger_id: string }[]
  /** Ids of triggers that have a schedule in Temporal, but must not have one. */
  orphaned: string[]
}

interface Deps {
  db: Database
  temporal: Temporal
  schedules: TriggerSchedules
  log: Logger
}

const BATCH = 20
/** Longer than a write takes, but short enough for a quick retry after a failure. */
const LEASE_SECONDS = 20
const IDLE_MS = 5_000
const REPAIR_MS = 600_000
const RETRY_MS = 2_000

export function createTriggerFollower({ db, temporal, schedules, log }: Deps): TriggerFollower {
  async function write(workspaceId: string, triggerId: string, schedule: TriggerSchedule): Promise<void> {
    // The row is written first, because a schedule without a row would never be deleted.
    await db.inWorkspace(workspaceId, tx => noteSchedule(tx, triggerId, null))
    const writtenAt = await schedules.write(schedule)
    await startMissed(workspaceId, triggerId, writtenAt)
    await db.inWorkspace(workspaceId, tx => noteSchedule(tx, triggerId, hashSchedule(schedule)))
  }

  /**
   * Starts the runs that were scheduled between a trigger's save and the moment when Temporal accepted its schedule.
   */
  async function startMissed(workspaceId: string, triggerId: string, writtenAt: Date): Promise<void> {
    const head = await db.inWorkspace(workspaceId, tx => findResource(tx, { kind: 'triggers', idOrSlug: triggerId }))
    const missed = head && findMissedPeriod(head, writtenAt.getTime())
    if (missed) await schedules.backfill(triggerId, missed.period, missed.overlap)
  }

  async function follow(trigger: ChangedTrigger): Promise<void> {
    const { workspace_id, trigger_id, lease, has_schedule, schedule_hash } = trigger
    const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspace_id, work)
    let problem: string | null = null
    try {
      const schedule = await schedules.build(workspace_id, trigger_id)
      if (schedule) {
        // Most changes affect only the health.
        if (schedule_hash !== hashSchedule(schedule)) await write(workspace_id, trigger_id, schedule)
      } else if (has_schedule) {
        await schedules.remove(trigger_id)
        await inWorkspace(tx => noteSchedule(tx, trigger_id, undefined))
      }
    } catch (error) {
      // The trigger is processed again after its lease expires.
      if (error instanceof Unavailable) throw error
      problem = `The schedule could not be written to Temporal: ${error instanceof Error ? error.message : 'unknown'}`
      log.error({ err: error, trigger_id }, "failed to write a trigger's schedule")
    }
    await inWorkspace(async tx => {
      // Lock the head before the state, in the same order as a save does, to avoid a deadlock.
      const head = await lockTrigger(tx, trigger_id)
      await noteSynced(tx, trigger_id, { lease, problem })
      if (head) await updateHealth(tx, head)
    })
  }

  async function followDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await db.system(tx => leaseChangedTriggers(tx, { limit: BATCH, leaseSeconds: LEASE_SECONDS }))
      if (due.length === 0) return
      const results = await Promise.allSettled(due.map(follow))
      const failed = results.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    }
  }

  const compare: TriggerFollower['compare'] = async () => {
    const listed = await temporal.call(async ({ schedule }) => {
      const summaries = new Map<string, Parameters<typeof isSame>[1]>()
      for await (const summary of schedule.list({ pageSize: 1_000 })) {
        const id = parseScheduledTriggerId(temporal, summary.scheduleId)
        if (id !== undefined) summaries.set(id, summary)
      }
      return summaries
    }, LIST_MS)
    const comparison: ScheduleComparison = { scheduled: [], differing: [], orphaned: [] }
    const batches = readBatches(
      position => db.system(tx => listScheduledTriggers(tx, position)),
      ({ trigger_id }) => trigger_id,
    )
    for await (const triggers of batches)
      for (const { workspace_id, trigger_id } of triggers) {
        const schedule = await schedules.build(workspace_id, trigger_id)
        if (!schedule) continue
        const summary = listed.get(trigger_id)
        listed.delete(trigger_id)
        comparison.scheduled.push({ workspace_id, trigger_id })
        if (!summary || !(isSame(schedule, summary) || (await schedules.isThere(schedule))))
          comparison.differing.push({ workspace_id, trigger_id })
      }
    return { ...comparison, orphaned: [...listed.keys()] }
  }

  /** Repairs the triggers of all workspaces, then deletes schedules whose triggers no longer exist. */
  const repair: TriggerFollower['repair'] = async ({ all, signal = new AbortController().signal } = {}) => {
    const { scheduled, differing, orphaned } = await compare()
    const outdated = all ? scheduled : differing
    for (const { workspace_id, trigger_id } of outdated)
      await db.inWorkspace(workspace_id, tx => markUnsynced(tx, trigger_id))
    for (const id of orphaned) await schedules.remove(id)
    // Only the lease holder writes a trigger's schedule, so that an older schedule never overwrites a newer one.
    await followDue(signal)
    return { schedules: scheduled.length, written: outdated.length, removed: orphaned.length }
  }

  let repairedAt = 0
  async function repairAtTimes(signal: AbortSignal): Promise<void> {
    if (Date.now() - repairedAt < REPAIR_MS) return
    const { written: schedules_written, removed: schedules_removed } = await repair({ signal })
    if (schedules_written + schedules_removed > 0)
      log.info({ schedules_written, schedules_removed }, 'repaired trigger schedules')
    repairedAt = Date.now()
  }

  const loop = createLoop({
    name: 'applying trigger changes',
    idleMs: IDLE_MS,
    retryMs: RETRY_MS,
    log,
    async round(signal) {
      await db.system(dueAgain)
      await followDue(signal)
      await repairAtTimes(signal)
    },
  })
  return { ...loop, compare, repair }
}

const LIST_MS = 60_000

/** Stores the health, and publishes an event if the health has changed. */
async function updateHealth(tx: Tx, head: Resource): Promise<void> {
  const states = await findTriggerStates(tx, [head.id])
  const [report] = await readHealth(tx, { brain_ids: null }, [head], states)
  if (report) await saveHealth(tx, head.id, report)
}
