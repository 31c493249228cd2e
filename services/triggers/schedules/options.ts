import {
  type CalendarSpec,
  DAYS_OF_WEEK,
  MONTHS,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client'
import type { Resource } from '../../../data/resources/resources-store.ts'
import { parseDurationMs } from '../../../domain/shared/durations.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import type { Calendar } from '../../../domain/triggers/schedule/calendar.ts'
import { type ScheduleSettings, readScheduleTimes } from '../../../domain/triggers/types/schedule.ts'
import { FIRING_PRIORITY } from '../../../domain/shared/fairness/run-priority.ts'
import { TRIGGER, WORKSPACE } from '../../../workflows/shared/run/attributes.ts'
import {
  SCHEDULED_FIRING_WORKFLOW,
  type ScheduledFiringInput,
} from '../../../workflows/triggers/scheduled-firing-messages.ts'
import type { Temporal } from '../../shared/temporal.ts'

const PREFIX = 'trigger-'

/** Builds a trigger's schedule id. Services that share a namespace have separate task queues. */
export const buildTriggerScheduleId = ({ taskQueue }: Pick<Temporal, 'taskQueue'>, triggerId: string): string =>
  `${PREFIX}${taskQueue}-${triggerId}`

/** Returns the trigger that a schedule belongs to. Returns undefined for other schedules. */
export function parseScheduledTriggerId(
  { taskQueue }: Pick<Temporal, 'taskQueue'>,
  scheduleId: string,
): string | undefined {
  const start = `${PREFIX}${taskQueue}-`
  const id = scheduleId.slice(start.length)
  return scheduleId.startsWith(start) && /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}

const OVERLAPS: Record<ScheduleSettings['overlap'], ScheduleOverlapPolicy> = {
  skip: ScheduleOverlapPolicy.SKIP,
  buffer_one: ScheduleOverlapPolicy.BUFFER_ONE,
  allow: ScheduleOverlapPolicy.ALLOW_ALL,
  cancel_other: ScheduleOverlapPolicy.CANCEL_OTHER,
}

export type TriggerSchedule = ScheduleOptions & Required<Pick<ScheduleOptions, 'state' | 'policies' | 'memo'>>

/** Builds a trigger's schedule. Returns undefined if the trigger must not have a schedule. */
export function buildTriggerSchedule(
  temporal: Pick<Temporal, 'taskQueue'>,
  { id, workspace }: { id: string; workspace: string },
  head: Resource,
): TriggerSchedule | undefined {
  const document = head.document as TriggerDocument
  const { schedule, paused } = document
  if (document.trigger_type !== 'schedule' || !schedule || head.deleted_at !== null) return undefined
  const scheduleId = buildTriggerScheduleId(temporal, head.id)
  const waits = schedule.overlap !== 'allow'
  const args: [ScheduledFiringInput] = [{ workspace_id: id, trigger_id: head.id, waits, fires_locally: true }]
  const typedSearchAttributes = [
    { key: WORKSPACE, value: workspace },
    { key: TRIGGER, value: head.slug },
  ]
  // A separate variable, because the schedule type lacks the priority that the client sends.
  const action = {
    type: 'startWorkflow' as const,
    workflowType: SCHEDULED_FIRING_WORKFLOW,
    // The Temporal server appends the time.
    workflowId: `${PREFIX}${head.slug.slice(0, 60)}-${head.id}`,
    taskQueue: temporal.taskQueue,
    args,
    staticSummary: `Trigger: ${head.title}`,
    typedSearchAttributes,
    priority: { fairnessKey: id, priorityKey: FIRING_PRIORITY },
  }
  return {
    scheduleId,
    spec: buildSpec(schedule),
    action,
    policies: {
      overlap: OVERLAPS[schedule.overlap],
      catchupWindow: parseDurationMs(schedule.catch_up),
    },
    state: { paused: paused || !head.is_active, note: buildNote(workspace, head) },
    memo: { trigger_id: head.id, workspace_id: id },
    typedSearchAttributes,
  }
}

/**
 * Builds the note that operators see in the Temporal UI. The note contains the version, so that each version's
 * schedule has a different note.
 */
function buildNote(workspace: string, { title, slug, version, is_active, document }: Resource): string {
  const { paused, pause_note, schedule, target } = document as TriggerDocument
  const state = paused ? `paused: ${pause_note ?? 'no reason given'}` : is_active ? '' : 'switched off'
  const cron = schedule?.cron === undefined ? '' : `${[schedule.cron].flat().join(' | ')} (${schedule.time_zone}) → `
  const subject = `${title}: ${cron}${target.type} ${target.ref}`
  return `${subject} · trigger ${slug}, version ${version}, workspace ${workspace}${state && ` · ${state}`}`
}

function buildSpec(schedule: ScheduleSettings): ScheduleOptions['spec'] {
  const { calendars, interval, start_at, end_at } = readScheduleTimes(schedule)
  const { jitter, time_zone } = schedule
  return {
    calendars: calendars.map(toCalendarSpec),
    ...(interval && { intervals: [{ every: interval.every, offset: interval.offset }] }),
    timezone: time_zone,
    ...(jitter !== undefined && { jitter: parseDurationMs(jitter) }),
    ...(start_at !== undefined && { startAt: new Date(start_at) }),
    ...(end_at !== undefined && { endAt: new Date(end_at) }),
  }
}

function toCalendarSpec({
  second,
  minute,
  hour,
  day_of_month,
  month,
  day_of_week,
  year,
  comment,
}: Calendar): CalendarSpec {
  return {
    second: toRanges(second),
    minute: toRanges(minute),
    hour: toRanges(hour),
    dayOfMonth: toRanges(day_of_month),
    month: month.map(number => MONTHS[number - 1] ?? 'JANUARY'),
    dayOfWeek: day_of_week.map(number => DAYS_OF_WEEK[number] ?? 'SUNDAY'),
    ...(year && { year: toRanges(year) }),
    ...(comment !== undefined && { comment }),
  }
}

/** Merges consecutive numbers into ranges, in the form that the Temporal UI displays. */
function toRanges(values: number[]): { start: number; end: number; step: number }[] {
  const ranges: { start: number; end: number; step: number }[] = []
  for (const value of values) {
    const last = ranges.at(-1)
    if (last?.end === value - 1) last.end = value
    else ranges.push({ start: value, end: value, step: 1 })
  }
  return ranges
}
