import { defineSignal } from '@temporalio/workflow'
import type { JobRef } from '../../domain/jobs.ts'

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
}

/** Announces a piece of audio that is in Postgres. */
export const audioSignal = defineSignal<[{ seq: number; sha256: string }]>('audio')
export const endSignal = defineSignal<[{ by: string }]>('end')
