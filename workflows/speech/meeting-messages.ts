import { defineSignal } from '@temporalio/workflow'
import type { JobRef } from '../../domain/runs/jobs.ts'

export const MEETING_WORKFLOW = 'meeting'

export interface MeetingRunInput {
  job: JobRef
  meeting_id: string
  requester: string
  /** Pieces that are transcribed at a time. */
  concurrency: number
  /** Limits one attempt at a piece, with all of its requests. */
  time_limit_ms: number
  /** The meeting ends after this time without audio. */
  idle_ms: number
  /** The actor who ended the meeting. Set when the run continues as new while it ends. */
  ended_by?: string
  /** Pieces may wait that no signal announces. The run then lists the pieces again before it waits. Absent: false. */
  is_behind?: boolean
}

export interface AnnouncedPiece {
  seq: number
  sha256: string
  /** So many pieces wait that the next ones may come without a signal. Absent: false. */
  is_behind?: boolean
}

/** Announces a piece of audio that is in Postgres. */
export const audioSignal = defineSignal<[AnnouncedPiece]>('audio')
export const endSignal = defineSignal<[{ by: string }]>('end')
