import type { Resource } from '../../../data/resources/resources-store.ts'
import { parseDurationMs } from '../../../domain/shared/durations.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import { listTimes } from '../../../domain/triggers/schedule/times.ts'
import { type ScheduleSettings, readScheduleTimes } from '../../../domain/triggers/types/schedule.ts'

const MAX_MISSED_MS = 3_600_000

/**
 * Returns the period between a trigger's save and the write of its schedule, if the period contains a scheduled time.
 * Temporal does not start runs for such times, so they need a backfill. Times older than `catch_up`, or an hour by
 * default, are skipped. Times are in milliseconds.
 */
export function findMissedPeriod(
  { document, is_active, updated_at }: Resource,
  writtenAt: number,
): { period: { start: Date; end: Date }; overlap: ScheduleSettings['overlap'] } | undefined {
  const { schedule, paused } = document as TriggerDocument
  if (!schedule || paused || !is_active) return undefined
  const catchUpMs = Math.min(parseDurationMs(schedule.catch_up) ?? 0, MAX_MISSED_MS)
  const start = Math.max(new Date(updated_at).getTime(), writtenAt - catchUpMs)
  const [first] = listTimes(readScheduleTimes(schedule), start, 1)
  if (first === undefined || first > writtenAt) return undefined
  return { period: { start: new Date(start), end: new Date(writtenAt) }, overlap: schedule.overlap }
}
