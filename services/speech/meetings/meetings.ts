import { findRun, listMeetingAudio } from '../../../data/speech/meetings-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import { mergeSegments, buildSegments } from '../../../domain/speech/meeting.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { splitHeadAndDocument } from '../../resources/products/fields.ts'
import { createProduct } from '../../resources/products/product.ts'
import { createLiveMeetings, type LiveMeetingsDeps } from './live-meetings.ts'
import type { MeetingsService } from './types.ts'
import { presentMeeting } from './views.ts'
import { createMeetingSnapshots } from './snapshot.ts'
import type { Edit, ResourcesService } from '../../resources/resources.ts'

interface Deps extends LiveMeetingsDeps {
  jobs: JobsService
  resources: ResourcesService
}

const KIND = 'meetings'

/** Meetings as a product, and what happens while one lasts. */
export function createMeetings(deps: Deps): MeetingsService {
  const { db, jobs, resources } = deps

  /** Does nothing when the run has ended. */
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
      // The transcript of a meeting that has ended may have been edited.
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
