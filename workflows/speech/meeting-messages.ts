import { defineSignal } from '@temporalio/workflow'
import type { JobRef } from '../../domain/runs/jobs.ts'

export const MEETING_WORKFLOW = 'meeting'

export interface MeetingRunInput {
  job: JobRef
  meeting_id: string
  requester: string
  /** Maximum number of pieces transcribed concurrently. */
  concurrency: number
  /** Time limit of one attempt for a piece, including all its requests. */
  time_limit_ms: number
  /** The meeting ends after this time without audio. */
  idle_ms: number
  /** The actor who ended the meeting. Set if the run continues as new while the meeting is ending. */
  ended_by?: string
  /**
   * Whether there may be unannounced pieces. The run then lists the pieces again before it waits.
   * Default: false.
   */
  is_behind?: boolean
}

export interface AnnouncedPiece {
  seq: number
  sha256: string
  /** Whether so many pieces are pending that the next ones may arrive without a signal. Default: false. */
  is_behind?: boolean
}

/** Announces a piece of audio stored in Postgres. */
export const audioSignal = defineSignal<[AnnouncedPiece]>('audio')
export const endSignal = defineSignal<[{ by: string }]>('end')
