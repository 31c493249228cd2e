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

/** The schedules of triggers in Temporal. Methods throw Unavailable, and may be repeated. */
export interface TriggerSchedules {
  /** The schedule that the trigger must have now; undefined for none. */
  build(workspaceId: string, triggerId: string): Promise<TriggerSchedule | undefined>
  /** Whether Temporal has the schedule now. Lists may be late. */
  isThere(schedule: TriggerSchedule): Promise<boolean>
  /**
   * Creates the schedule or writes it again, and confirms that Temporal has it. Returns the time by Temporal's clock from
   * which on it starts the times of the schedule: it drops those before. Throws Unavailable if it has not taken it over.
   */
  write(schedule: TriggerSchedule): Promise<Date>
  /** Throws Unavailable while Temporal has no schedule of the trigger. */
  checkThere(triggerId: string): Promise<void>
  /** Starts the times of a period as if they came now: one after the other, or all at once where overlaps are allowed. */
  backfill(triggerId: string, period: { start: Date; end: Date }, overlap: ScheduleSettings['overlap']): Promise<void>
  /** Deletes the schedule of a trigger, if there is one, and confirms that it is gone. Throws Unavailable if it is not. */
  remove(triggerId: string): Promise<void>
}

/** A schedule takes an update over a little later, and drops one that meets another, or its own end, without an error. */
const CONFIRM_DELAYS_MS = [20, 50, 100, 250, 500, 1_000, 1_000, 1_000]

export function createTriggerSchedules({ db, temporal }: Deps): TriggerSchedules {
  /** Returns the schedule as Temporal has it; undefined unless it is the wanted one. */
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
      const { info } = await confirm(() => find(schedule), 'Temporal has not taken the schedule over')
      return info.lastUpdatedAt ?? info.createdAt
    },

    checkThere: triggerId =>
      temporal.call(async ({ schedule }) => {
        const handle = schedule.getHandle(buildTriggerScheduleId(temporal, triggerId))
        await handle.describe().catch((error: unknown) => {
          throw error instanceof ScheduleNotFoundError
            ? new Unavailable('The schedule of the trigger is being written', { cause: error })
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

/** Returns what a check finds. Throws Unavailable with the complaint if it finds nothing again and again. */
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
        // It is being deleted: it is created later.
        throw cause instanceof ScheduleNotFoundError ? new Unavailable(undefined, { cause }) : cause
      })
  }
}

/** Deletes a schedule. Undefined if it is still there: a deletion that meets an update has no effect, and gives no error. */
async function deleteOnce(schedules: ScheduleClient, scheduleId: string): Promise<true | undefined> {
  await schedules.getHandle(scheduleId).delete().catch(ignoreNotFound)
  return (await schedules.getHandle(scheduleId).describe().catch(ignoreNotFound)) === undefined ? true : undefined
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error
}

/** Whether a schedule in Temporal is what a trigger must have, as far as lists show it. Each version has a note of its own. */
export const isSame = ({ state }: TriggerSchedule, listed: Pick<ScheduleSummary, 'state'>): boolean =>
  listed.state.note === state.note && listed.state.paused === (state.paused === true)

/** A hash of all that is written. */
export const hashSchedule = (schedule: TriggerSchedule): string =>
  createHash('sha256').update(JSON.stringify(schedule)).digest('base64')
