import type { Principal } from '../../../domain/access/principal.ts'
import type { MeetingDocument, MeetingSegment } from '../../../domain/resources/kinds/meetings.ts'
import type { JobSnapshots } from '../../runs/snapshot.ts'
import type { ReceivedAudio } from '../transcription/types.ts'
import type { ReferringResources } from '../../../contract/resources/reference.ts'
import type { ProductService } from '../../resources/products/product.ts'
import type { HeadView } from '../../../contract/resources/head.ts'
import type { NewFields } from '../../resources/saving.ts'

/** A meeting without its transcript. */
export interface MeetingView extends HeadView, Omit<MeetingDocument, 'transcript'> {
  type: 'meetings'
}

export type MeetingFields = Partial<Pick<MeetingDocument, 'description' | 'starts_at' | 'participants'>>

export type NewMeeting = MeetingFields & Omit<NewFields, 'document' | 'is_active'> & { title: string }

export type MeetingChange = MeetingFields & Pick<NewFields, 'title' | 'path' | 'scope' | 'note'>

export interface NewMeetingPiece extends ReceivedAudio {
  /** Number of the piece. Pieces may be sent repeatedly and in any order. */
  seq: number
  speaker?: string
  /** Seconds since the beginning of the meeting. */
  start?: number
}

/** The response to a piece, and to a repeat of it. */
export interface AcceptedPiece {
  meeting_id: string
  job_id: string
  seq: number
  sha256: string
}

export interface MeetingTranscript {
  meeting_id: string
  status: MeetingDocument['status']
  text: string
  segments: MeetingSegment[]
  /** Number of pieces that are not transcribed yet. */
  pending: number
  /** Pieces that could not be transcribed. */
  failed: { seq: number; code: string; message: string }[]
  artifact_id?: string
}

/** Meetings. Methods throw NotFound for ids of other workspaces, and of brains that are not visible to the caller. */
export interface MeetingsService extends Pick<
  ProductService<MeetingView, NewMeeting, MeetingChange>,
  'list' | 'create' | 'read' | 'patch' | 'remove' | 'restore' | 'history' | 'users' | 'diff'
> {
  /** Cancels the run of the meeting, too. */
  remove(principal: Principal, idOrSlug: string): Promise<ReferringResources>
  /**
   * Accepts a piece of audio. The first one makes the meeting live. Throws Unavailable when no speech service is
   * configured, Conflict when the meeting has ended, and what `inspectAudio` throws.
   */
  addAudio(principal: Principal, idOrSlug: string, piece: NewMeetingPiece): Promise<AcceptedPiece>
  /** Ends the meeting when all its pieces are transcribed. `ended` is false when that takes longer than the call may wait. */
  end(principal: Principal, idOrSlug: string): Promise<{ meeting: MeetingView; job_id: string | null; ended: boolean }>
  transcript(principal: Principal, idOrSlug: string): Promise<MeetingTranscript>
  /** Returns the job whose stream is that of the meeting. The job may not have begun. */
  openStream(principal: Principal, idOrSlug: string): Promise<string>
  /** Snapshots for readers of the streams of meetings. */
  snapshots: JobSnapshots
}
