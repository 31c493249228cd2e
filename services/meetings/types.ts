import type { Principal } from '../../domain/principal.ts'
import type { MeetingDocument, MeetingSegment } from '../../domain/resources/kinds/meetings.ts'
import type { JobsService } from '../jobs/types.ts'
import type { ProductService } from '../products/types.ts'
import type { NewFields } from '../resources/types.ts'
import type { ReceivedAudio } from '../transcription/types.ts'

/** A meeting without what was said in it. */
export interface MeetingView extends Omit<MeetingDocument, 'transcript'> {
  id: string
  slug: string
  title: string
  path: string
  brain_id: string | null
  version: number
  created_at: string
  updated_at: string
}

export type MeetingFields = Partial<Pick<MeetingDocument, 'description' | 'starts_at' | 'participants'>>

export type NewMeeting = MeetingFields & Omit<NewFields, 'document' | 'is_active'> & { title: string }

export type MeetingChange = MeetingFields & Pick<NewFields, 'title' | 'path' | 'note'>

export interface NewMeetingPiece extends ReceivedAudio {
  /** Counts the pieces; the same one may come again, and in any order. */
  seq: number
  speaker?: string
  /** Seconds since the beginning of the meeting. */
  start?: number
}

/** A piece that was taken; the same piece gets the same answer. */
export interface TakenPiece {
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
  /** Pieces that are still to be heard. */
  pending: number
  /** Pieces that could not be. */
  failed: { seq: number; code: string; message: string }[]
  artifact_id?: string
}

/** Meetings as they happen. Ids of other workspaces, and of brains out of reach, give NotFound. */
export interface MeetingsService extends Pick<
  ProductService<MeetingView, NewMeeting, MeetingChange>,
  'list' | 'create' | 'read' | 'patch' | 'remove' | 'restore'
> {
  /** Nobody listens to it any more. */
  remove(principal: Principal, idOrSlug: string): Promise<void>
  /**
   * Takes a piece of audio; the meeting is live from the first one on. Throws Unavailable where no speech service is
   * configured, Conflict once the meeting has ended, and what inspecting audio does.
   */
  hear(principal: Principal, idOrSlug: string, piece: NewMeetingPiece): Promise<TakenPiece>
  /** Ends the meeting once all its pieces are heard. `ended` is false where that takes longer than a caller may wait. */
  end(principal: Principal, idOrSlug: string): Promise<{ meeting: MeetingView; job_id: string | null; ended: boolean }>
  transcript(principal: Principal, idOrSlug: string): Promise<MeetingTranscript>
  /** The job whose stream is that of the meeting; it may not have begun yet. */
  streamOf(principal: Principal, idOrSlug: string): Promise<string>
  /** What the record knows of such a stream. */
  watch: Pick<JobsService, 'hasEnded' | 'story' | 'endedAmong'>
}
