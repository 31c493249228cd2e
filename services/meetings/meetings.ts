import { findRun, listMeetingAudio } from '../../data/meetings-store.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import type { MeetingDocument } from '../../domain/resources/kinds/meetings.ts'
import { mergeSegments, segmentsOf } from '../../domain/speech/meeting.ts'
import { isTerminal } from '../../domain/jobs.ts'
import type { JobsService } from '../jobs/types.ts'
import type { ResourcesService } from '../resources/types.ts'
import { createListening, type ListeningDeps } from './listening.ts'
import type { MeetingChange, MeetingsService, NewMeeting } from './types.ts'
import { meetingView } from './views.ts'
import { createWatch } from './watch.ts'

interface Deps extends ListeningDeps {
  jobs: JobsService
  resources: ResourcesService
}

/** Meetings in their own shape over the spine, and what happens while they last. */
export function createMeetings(deps: Deps): MeetingsService {
  const { db, jobs, resources } = deps

  /** A run that is over by now is no obstacle. */
  async function stopListening(who: Principal, meetingId: string): Promise<void> {
    const run = await db.inWorkspace(who.workspace_id, tx => findRun(tx, { meeting_id: meetingId }))
    if (!run?.status || isTerminal(run.status)) return
    await jobs.cancel(who, run.job_id).catch((error: unknown) => {
      if (!(error instanceof ValidationError)) throw error
    })
  }

  return {
    ...createListening(deps),
    watch: createWatch(deps),

    async list(who, filter) {
      const { data, total } = await resources.list(who, 'meetings', filter)
      return { data: data.map(meetingView), total }
    },

    async create(who, { description, starts_at, participants, ...head }: NewMeeting, idempotency) {
      const document = { description, starts_at, participants }
      return meetingView(await resources.create(who, 'meetings', { ...head, document }, idempotency))
    },

    read: async (who, idOrSlug) => meetingView(await resources.read(who, 'meetings', idOrSlug)),

    async change(who, idOrSlug, { expected_version, note, ...change }) {
      const options = { expected_version, note }
      const edit = (before: { document: object }) => changed(before, change)
      return meetingView(await resources.edit(who, 'meetings', idOrSlug, edit, options))
    },

    async remove(who, idOrSlug) {
      const { id } = await resources.read(who, 'meetings', idOrSlug)
      await resources.remove(who, 'meetings', id)
      await stopListening(who, id)
    },

    async transcript(who, idOrSlug) {
      const { id, document } = await resources.read(who, 'meetings', idOrSlug)
      const { status, transcript, artifact_id } = document as MeetingDocument
      const pieces = await db.inWorkspace(who.workspace_id, tx => listMeetingAudio(tx, id))
      // What has been edited since the meeting ended stays so.
      const segments = status === 'ended' ? transcript : mergeSegments(transcript, segmentsOf(pieces, false))
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

function changed(before: { document: object }, { title, path, ...fields }: MeetingChange) {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const head = { ...(title !== undefined && { title }), ...(path !== undefined && { path }) }
  return { ...before, ...head, document: { ...before.document, ...given } }
}
