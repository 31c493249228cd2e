import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleClient,
  type ScheduleSummary,
} from '@temporalio/client'
import { findOwnSlug } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { findResource } from '../../../data/resources/resources-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { ScheduleSettings } from '../../../domain/triggers/types/schedule.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { buildTriggerSchedule, buildTriggerScheduleId, type TriggerSchedule } from './options.ts'

interface Deps {
  db: Database
  temporal: Temporal
}

/** The trigger schedules in Temporal. Methods throw Unavailable, and may be repeated. */
export interface TriggerSchedules {
  /** Builds the trigger's current schedule. Returns undefined if the trigger must not have a schedule. */
  build(workspaceId: string, triggerId: string): Promise<TriggerSchedule | undefined>
  /** Returns whether the schedule currently exists in Temporal. Lists may be outdated. */
  isThere(schedule: TriggerSchedule): Promise<boolean>
  /**
   * Creates or rewrites the schedule, and confirms that Temporal has it. Returns the time on Temporal's clock from
   * which the schedule is active. Temporal drops earlier times. Throws Unavailable if Temporal has not applied the
   * schedule.
   */
  write(schedule: TriggerSchedule): Promise<Date>
  /** Throws Unavailable while Temporal has no schedule for the trigger. */
  checkThere(triggerId: string): Promise<void>
  /**
   * Starts runs for the times in a period as if they occurred now: one after the other, or all at once if overlaps
   * are allowed.
   */
  backfill(triggerId: string, period: { start: Date; end: Date }, overlap: ScheduleSettings['overlap']): Promise<void>
  /**
   * Deletes a trigger's schedule, if any, and confirms the deletion. Throws Unavailable if the schedule still exists.
   */
  remove(triggerId: string): Promise<void>
}

/**
 * A schedule applies an update with a delay. It silently drops an update that coincides with another update or with
 * the schedule's end.
 */
const CONFIRM_DELAYS_MS = [20, 50, 100, 250, 500, 1_000, 1_000, 1_000]

export function createTriggerSchedules({ db, temporal }: Deps): TriggerSchedules {
  /** Returns the schedule in Temporal, or undefined if it does not match the requested schedule. */
  const find = (triggerSchedule: TriggerSchedule) =>
    temporal.call(async ({ schedule }) => {
      const description = await schedule.getHandle(triggerSchedule.scheduleId).describe().catch(ignoreNotFound)
      return description !== undefined && isSame(triggerSchedule, description) ? description : undefined
    })

  return {
    build: (workspaceId, triggerId) =>
      db.inWorkspace(workspaceId, async tx => {
        const [head, slug] = await Promise.all([
          findResource(tx, { kind: 'triggers', idOrSlug: triggerId }),
          findOwnSlug(tx, workspaceId),
        ])
        return head && buildTriggerSchedule(temporal, { id: workspaceId, workspace: slug ?? '' }, head)
      }),

    isThere: async triggerSchedule => (await find(triggerSchedule)) !== undefined,

    async write(schedule) {
      await temporal.call(client => createOrUpdate(client.schedule, schedule))
      const { info } = await confirm(() => find(schedule), 'Temporal has not applied the schedule')
      return info.lastUpdatedAt ?? info.createdAt
    },

    checkThere: triggerId =>
      temporal.call(async ({ schedule }) => {
        const handle = schedule.getHandle(buildTriggerScheduleId(temporal, triggerId))
        await handle.describe().catch((error: unknown) => {
          throw error instanceof ScheduleNotFoundError
            ? new Unavailable("The trigger's schedule is being written", { cause: error })
            : error
        })
      }),

    backfill: (triggerId, { start, end }, overlap) =>
      temporal.call(({ schedule }) =>
        schedule.getHandle(buildTriggerScheduleId(temporal, triggerId)).backfill([
          {
            start,
            end,
            overlap: overlap === 'allow' ? ScheduleOverlapPolicy.ALLOW_ALL : ScheduleOverlapPolicy.BUFFER_ALL,
          },
        ]),
      ),

    async remove(triggerId) {
      await confirm(
        () => temporal.call(({ schedule }) => deleteOnce(schedule, buildTriggerScheduleId(temporal, triggerId))),
        'Temporal has not deleted the schedule',
      )
    },
  }
}

/**
 * Repeats a check until it returns a value. Throws Unavailable with the message if the check repeatedly returns no
 * value.
 */
async function confirm<T>(check: () => Promise<T | undefined>, complaint: string): Promise<T> {
  for (const delayMs of CONFIRM_DELAYS_MS) {
    const value = await check()
    if (value !== undefined) return value
    await sleep(delayMs)
  }
  throw new Unavailable(complaint)
}

async function createOrUpdate(schedules: ScheduleClient, schedule: TriggerSchedule): Promise<void> {
  try {
    await schedules.create(schedule)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { scheduleId, spec, action, policies, state, typedSearchAttributes } = schedule
    await schedules
      .getHandle(scheduleId)
      .update(() => ({ spec, action, policies, state, typedSearchAttributes }))
      .catch((cause: unknown) => {
        // The schedule is being deleted, so it is created later.
        throw cause instanceof ScheduleNotFoundError ? new Unavailable(undefined, { cause }) : cause
      })
  }
}

/**
 * Deletes a schedule. Returns undefined if the schedule still exists, because a deletion that coincides with an
 * update silently has no effect.
 */
async function deleteOnce(schedules: ScheduleClient, scheduleId: string): Promise<true | undefined> {
  await schedules.getHandle(scheduleId).delete().catch(ignoreNotFound)
  return (await schedules.getHandle(scheduleId).describe().catch(ignoreNotFound)) === undefined ? true : undefined
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error
}

/**
 * Returns whether a schedule in Temporal matches the trigger's schedule, as far as lists reveal. Each version has its
 * own note.
 */
export const isSame = ({ state }: TriggerSchedule, listed: Pick<ScheduleSummary, 'state'>): boolean =>
  listed.state.note === state.note && listed.state.paused === (state.paused === true)

/** Computes the hash of all fields that are written. */
export const hashSchedule = (schedule: TriggerSchedule): string =>
  createHash('sha256').update(JSON.stringify(schedule)).digest('base64')
