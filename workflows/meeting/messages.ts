import { defineSignal } from '@temporalio/workflow'
import type { JobRef } from '../../domain/jobs.ts'

export const MEETING_WORKFLOW = 'meeting'

export interface MeetingRunInput {
  job: JobRef
  meeting_id: string
  requester: string
  /** Pieces that are listened to at a time. */
  concurrency: number
  /** Of one piece, with all of its requests. */
  time_limit_ms: number
  /** Without audio for so long, the meeting ends. */
  idle_ms: number
  /** Set when the run continues as new while it ends: who ended it. */
  ended_by?: string
}

/** A piece of audio has come; it is in Postgres. */
export const audioSignal = defineSignal<[{ seq: number; sha256: string }]>('audio')
export const endSignal = defineSignal<[{ by: string }]>('end')
