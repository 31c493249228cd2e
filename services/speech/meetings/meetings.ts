import { findRun, listMeetingAudio } from '../../../data/speech/meetings-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import { mergeSegments, buildSegments } from '../../../domain/speech/meeting.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type {
  MeetingView,
  NewMeeting,
  MeetingChange,
  AcceptedPiece,
  MeetingTranscript,
} from '../../../contract/speech/meeting.ts'
import type { ReferringResources } from '../../../contract/resources/reference.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { splitHeadAndDocument } from '../../resources/product-fields.ts'
import { createProduct, type ProductService } from '../../resources/product.ts'
import type { Edit, ResourcesService } from '../../resources/resources.ts'
import type { JobSnapshots } from '../../runs/snapshot.ts'
import { createLiveMeetings, type LiveMeetingsDeps, type NewMeetingPiece } from './live-meetings.ts'
import { presentMeeting } from './views.ts'
import { createMeetingSnapshots } from './snapshot.ts'

/** Meetings. Methods throw NotFound for ids from other workspaces and from brains that the caller cannot see. */
export interface MeetingsService extends Pick<
  ProductService<MeetingView, NewMeeting, MeetingChange>,
  'list' | 'create' | 'read' | 'patch' | 'remove' | 'restore' | 'history' | 'users' | 'diff'
> {
  /** Also cancels the meeting's run. */
  remove(principal: Principal, idOrSlug: string): Promise<ReferringResources>
  /**
   * Accepts a piece of audio. The first piece makes the meeting live. Throws Unavailable if no speech service is
   * configured, Conflict if the meeting has ended, and the same errors as `inspectAudio`.
   */
  addAudio(principal: Principal, idOrSlug: string, piece: NewMeetingPiece): Promise<AcceptedPiece>
  /**
   * Ends the meeting once all its pieces are transcribed. `ended` is false if the transcription takes longer than the
   * call may wait.
   */
  end(principal: Principal, idOrSlug: string): Promise<{ meeting: MeetingView; job_id: string | null; ended: boolean }>
  transcript(principal: Principal, idOrSlug: string): Promise<MeetingTranscript>
  /** Returns the job that provides the meeting's stream. The job may not have started. */
  openStream(principal: Principal, idOrSlug: string): Promise<string>
  /** Snapshots for readers of meeting streams. */
  snapshots: JobSnapshots
}

interface Deps extends LiveMeetingsDeps {
  jobs: JobsService
  resources: ResourcesService
}

const KIND = 'meetings'

/** Manages meetings and their live audio. */
export function createMeetings(deps: Deps): MeetingsService {
  const { db, jobs, resources } = deps

  /** Has no effect if the run has already ended. */
  async function cancelRun(principal: Principal, meetingId: string): Promise<void> {
    const run = await db.inWorkspace(principal.workspace_id, tx => findRun(tx, { meeting_id: meetingId }))
    if (!run?.status || isTerminal(run.status)) return
    await jobs.cancel(principal, run.job_id).catch((error: unknown) => {
      if (!(error instanceof ValidationError)) throw error
    })
  }

  return {
    ...createProduct(resources, KIND, presentMeeting),
    ...createLiveMeetings(deps),
    snapshots: createMeetingSnapshots(deps),

    async patch(principal, idOrSlug, { note, ...change }, expected_version) {
      const { head, document } = splitHeadAndDocument(change)
      const edit: Edit = before => ({ ...before, ...head, document: { ...before.document, ...document } })
      return presentMeeting(await resources.edit(principal, KIND, idOrSlug, edit, { expected_version, note }))
    },

    async remove(principal, idOrSlug) {
      const { id } = await resources.read(principal, KIND, idOrSlug)
      const users = await resources.remove(principal, KIND, id)
      await cancelRun(principal, id)
      return users
    },

    async transcript(principal, idOrSlug) {
      const { id, document } = await resources.read(principal, KIND, idOrSlug)
      const { status, transcript, artifact_id } = document as MeetingDocument
      const pieces = await db.inWorkspace(principal.workspace_id, tx => listMeetingAudio(tx, id))
      // An ended meeting's transcript may have been edited.
      const segments = status === 'ended' ? transcript : mergeSegments(transcript, buildSegments(pieces, false))
      const failed = pieces.flatMap(({ seq, error }) => (error ? [{ seq, ...error }] : []))
      return {
        meeting_id: id,
        status,
        text: segments.map(({ text }) => text).join(' '),
        segments,
        pending: pieces.filter(piece => piece.status === 'pending').length,
        failed,
        ...(artifact_id !== undefined && { artifact_id }),
      }
    },
  }
}
