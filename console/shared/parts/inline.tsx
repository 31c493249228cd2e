import * as icons from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore, type ReactNode } from 'react'
import { replaceUnderscores } from './names.ts'

/** Icon and tone by status. */
const SIGNS: [icon: typeof icons.IconBan, tone: string, ...statuses: string[]][] = [
  [icons.IconCircleCheck, 'good', 'completed', 'approved', 'ok', 'connected', 'fired', 'answered', 'retried'],
  [icons.IconCircleX, 'bad', 'failed', 'rejected', 'failing', 'target_missing', 'failed_mapping'],
  [icons.IconHourglassHigh, 'wait', 'waiting', 'open', 'over_limit', 'limited'],
  [icons.IconHourglassHigh, 'idle', 'timed_out'],
  [icons.IconBan, 'idle', 'cancelled', 'declined', 'revoked'],
  [icons.IconAlertTriangle, 'wait', 'undo_incomplete', 'needs_mock_output'],
  [icons.IconBan, 'bad', 'refused'],
  [icons.IconLoader2, 'busy', 'running'],
  [icons.IconPlayerPause, 'wait', 'paused', 'disabled'],
  [icons.IconPlayerSkipForward, 'idle', 'skipped'],
  [icons.IconArrowBackUp, 'wait', 'compensated'],
  [icons.IconCirclePlus, 'good', 'added'],
  [icons.IconCircleMinus, 'bad', 'removed'],
  [icons.IconPencil, 'wait', 'changed'],
]
const BY_STATUS = new Map(
  SIGNS.flatMap(([icon, tone, ...statuses]) => statuses.map(status => [status, { icon, tone }])),
)
const OTHER = { icon: icons.IconCircleDashed, tone: 'idle' }

/** A status as icon, text and color. */
export function Status({ status }: { status: string }) {
  const { icon: Icon, tone } = BY_STATUS.get(status) ?? OTHER
  return (
    <span className="status" data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {replaceUnderscores(status)}
    </span>
  )
}

/** The run fields that lists and run pages share. */
interface EndedRun {
  status: string
  outcome: string | null
  compensation_failed?: boolean
}

/** Returns the status of a run. A cancelled run counts as cancelled, not failed. */
export const getRunStatus = ({ status, outcome }: EndedRun): string => (outcome === 'cancelled' ? outcome : status)

export const RunStatus = ({ run }: { run: EndedRun }) => (
  <>
    <Status status={getRunStatus(run)} />
    {run.compensation_failed && <Status status="undo_incomplete" />}
  </>
)

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const TICK_MS = 1_000

/** Formats a time as `in 2 days`, `3 minutes ago` or `just now`. */
export function formatRelative(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1_000
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  if (Math.abs(seconds) < 45) return 'just now'
  return relative.format(Math.round(seconds / size), unit)
}

export const formatAbsolute = (time: string): string => absolute.format(new Date(time))

/** Formats a duration as `1 h 20 min` or `3.4 s`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1_000) return `${whole} ms`
  // Rounded before dividing, so that 59.96 s becomes a minute.
  const tenths = Math.round(whole / 100)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(whole / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Listeners to a single clock for the whole page. */
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) now = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const notify of listeners) notify()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the current time, updated each second. Pages of ended items don't need updates. */
export const useNow = (isTicking = true): number =>
  useSyncExternalStore(isTicking ? subscribe : subscribeToNothing, () => now)

const subscribeToNothing = () => () => undefined

/** A relative time with the exact time as its title. */
export function When({ time }: { time: string }) {
  // Renders again only if the text has changed.
  const words = useSyncExternalStore(subscribe, () => formatRelative(time, Date.now()))
  return (
    <time dateTime={time} title={formatAbsolute(time)}>
      {words}
    </time>
  )
}

/** A link to a run's page. */
export const RunLink = ({ jobId, children }: { jobId: string; children: ReactNode }) => (
  <Link to="/runs/$jobId" params={{ jobId }} className="table-link">
    {children}
  </Link>
)

interface TaskLinkProps {
  id: string
  /** The list that is shown next to the task. */
  view?: 'all' | 'decided'
  children: ReactNode
}

/** A link to a task's page. */
export const TaskLink = ({ id, view = 'all', children }: TaskLinkProps) => (
  <Link to="/inbox/$interventionId" params={{ interventionId: id }} search={{ view }} className="table-link">
    {children}
  </Link>
)
