import type { MeetingSegment } from '../resources/kinds/meetings.ts'
import { roundSeconds } from './transcript.ts'

/** A piece of meeting audio with its known properties. Times are in seconds. */
export interface MeetingPiece {
  seq: number
  speaker: string | null
  /** Seconds from the start of the meeting, if the client sent it. */
  start: number | null
  /** Null until the audio is transcribed. */
  duration: number | null
  /** Null until the audio is transcribed. */
  text: string | null
}

/**
 * Builds the segments in `seq` order. A piece starts at the time that its client sent, or at the end of the previous
 * piece. The start time is unknown while the previous piece is missing. Once the meeting is complete (`isWhole`),
 * missing pieces count as zero-length.
 */
export function buildSegments(pieces: MeetingPiece[], isWhole: boolean): MeetingSegment[] {
  let at: number | undefined = 0
  let next = Math.min(pieces[0]?.seq ?? 0, 1)
  return pieces.flatMap(({ seq, speaker, start: pieceStart, duration, text }) => {
    if (seq !== next && !isWhole) at = undefined
    const start: number | undefined = pieceStart ?? at
    const end: number | undefined = start === undefined ? undefined : start + (duration ?? 0)
    at = duration === null && !isWhole ? undefined : end
    next = seq + 1
    if (!text) return []
    const times = start === undefined || end === undefined ? {} : { start: roundSeconds(start), end: roundSeconds(end) }
    return [{ seq, text, ...(speaker !== null && { speaker }), ...times }]
  })
}

/**
 * Merges transcribed segments into the document's segments. A transcribed segment replaces the one with the same
 * `seq`.
 */
export function mergeSegments(existing: MeetingSegment[], transcribed: MeetingSegment[]): MeetingSegment[] {
  const bySeq = new Map([...existing, ...transcribed].map(segment => [segment.seq, segment]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** Renders one line per segment: time, speaker, text. */
export function renderTranscript(segments: MeetingSegment[], escape: (text: string) => string): string {
  const renderLine = ({ start, speaker, text }: MeetingSegment) => {
    const lead = [start === undefined ? '' : `[${formatClock(start)}]`, speaker ? `${oneLine(speaker)}:` : '']
    const bold = lead.filter(Boolean).join(' ')
    return `${bold && `**${escape(bold)}** `}${escape(oneLine(text))}`
  }
  return `${segments.map(renderLine).join('\n\n')}\n`
}

/** Formats seconds as `0:05` or `1:02:03`. */
function formatClock(time: number): string {
  const whole = Math.floor(time)
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
