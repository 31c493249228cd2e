import * as icons from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore, type ReactNode } from 'react'
import { replaceUnderscores } from './names.ts'

/** The sign and the tone of statuses. */
const SIGNS: [icon: typeof icons.IconBan, tone: string, ...statuses: string[]][] = [
  [icons.IconCircleCheck, 'good', 'completed', 'approved', 'ok', 'fired', 'answered', 'retried'],
  [icons.IconCircleX, 'bad', 'failed', 'rejected', 'failing', 'target_missing', 'failed_mapping'],
  [icons.IconHourglassHigh, 'wait', 'waiting', 'open', 'over_limit', 'limited'],
  [icons.IconHourglassHigh, 'idle', 'timed_out'],
  [icons.IconBan, 'idle', 'cancelled', 'declined', 'revoked'],
  [icons.IconAlertTriangle, 'wait', 'undo_incomplete', 'needs_a_sample_output'],
  [icons.IconBan, 'bad', 'refused'],
  [icons.IconLoader2, 'busy', 'running'],
  [icons.IconPlayerPause, 'wait', 'paused'],
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

/** A status as sign, words and colour. */
export function Status({ status }: { status: string }) {
  const { icon: Icon, tone } = BY_STATUS.get(status) ?? OTHER
  return (
    <span className="status" data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {replaceUnderscores(status)}
    </span>
  )
}

/** What is known of a run in lists and on its page. */
interface EndedRun {
  status: string
  outcome: string | null
  compensation_failed?: boolean
}

/** The status of a run; a cancelled one has not failed. */
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

/** `in 2 days`, `3 minutes ago`, `just now`. */
export function formatRelative(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1_000
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  if (Math.abs(seconds) < 45) return 'just now'
  return relative.format(Math.round(seconds / size), unit)
}

export const formatAbsolute = (time: string): string => absolute.format(new Date(time))

/** `1 h 20 min`, `3.4 s`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1_000) return `${whole} ms`
  // Rounded before it is divided: 59.96 s are a minute.
  const tenths = Math.round(whole / 100)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(whole / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** One clock for the page. */
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

/** The time, each second. A page of what has ended does not need it. */
export const useNow = (isTicking = true): number =>
  useSyncExternalStore(isTicking ? subscribe : subscribeToNothing, () => now)

const subscribeToNothing = () => () => undefined

/** A time in words, with the exact one as its title. */
export function When({ time }: { time: string }) {
  // Only other words draw it again.
  const words = useSyncExternalStore(subscribe, () => formatRelative(time, Date.now()))
  return (
    <time dateTime={time} title={formatAbsolute(time)}>
      {words}
    </time>
  )
}

/** Leads to the page of a run. */
export const RunLink = ({ jobId, children }: { jobId: string; children: ReactNode }) => (
  <Link to="/runs/$jobId" params={{ jobId }} className="table-link">
    {children}
  </Link>
)
