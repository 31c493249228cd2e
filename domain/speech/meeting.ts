import type { MeetingSegment } from '../resources/kinds/meetings.ts'
import { roundSeconds } from './transcript.ts'

/** A piece of audio of a meeting, as far as it is known. Times in seconds. */
export interface MeetingPiece {
  seq: number
  speaker: string | null
  /** Since the beginning of the meeting, where its sender says so. */
  start: number | null
  /** Null before it has been listened to. */
  duration: number | null
  /** Null before it is written down. */
  text: string | null
}

/**
 * What was said, in the order of `seq`. A piece begins where its sender says, or where the one before it ended; while a
 * piece before it is missing, that is not known. Once the meeting is over (`isWhole`) what is missing takes no time.
 */
export function buildSegments(pieces: MeetingPiece[], isWhole: boolean): MeetingSegment[] {
  let at: number | undefined = 0
  let next = Math.min(pieces[0]?.seq ?? 0, 1)
  return pieces.flatMap(({ seq, speaker, start: given, duration, text }) => {
    if (seq !== next && !isWhole) at = undefined
    const start: number | undefined = given ?? at
    const end: number | undefined = start === undefined ? undefined : start + (duration ?? 0)
    at = duration === null && !isWhole ? undefined : end
    next = seq + 1
    if (!text) return []
    const times = start === undefined || end === undefined ? {} : { start: roundSeconds(start), end: roundSeconds(end) }
    return [{ seq, text, ...(speaker !== null && { speaker }), ...times }]
  })
}

/** Segments of the document, with those that were heard in their places. */
export function mergeSegments(written: MeetingSegment[], heard: MeetingSegment[]): MeetingSegment[] {
  const bySeq = new Map([...written, ...heard].map(segment => [segment.seq, segment]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** A line per segment: when, who, what. */
export function renderTranscript(segments: MeetingSegment[], escape: (text: string) => string): string {
  const renderLine = ({ start, speaker, text }: MeetingSegment) => {
    const lead = [start === undefined ? '' : `[${formatClock(start)}]`, speaker ? `${oneLine(speaker)}:` : '']
    const bold = lead.filter(Boolean).join(' ')
    return `${bold && `**${escape(bold)}** `}${escape(oneLine(text))}`
  }
  return `${segments.map(renderLine).join('\n\n')}\n`
}

/** `0:05`, `1:02:03`. */
function formatClock(time: number): string {
  const whole = Math.floor(time)
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
