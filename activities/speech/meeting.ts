import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import {
  type AudioKey,
  findPendingAudio,
  listMeetingAudio,
  listPendingAudio,
  lockRun,
  setClosing,
  saveAudioOutcome,
} from '../../data/speech/meetings-store.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { MeetingDocument } from '../../domain/resources/kinds/meetings.ts'
import { renderTranscript, mergeSegments, buildSegments } from '../../domain/speech/meeting.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import { readContent } from '../../services/documents/contents.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { escapeText } from '../../services/documents/reading/escape.ts'
import { buildPrincipal } from '../tools/principal.ts'
import type { MeetingActivities, MeetingResult } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'
import type { Transcription } from './transcription.ts'
import type { ResourcesService } from '../../services/resources/resources.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'

export interface MeetingDeps {
  db: Database
  transcription: Pick<Transcription, 'transcribe'>
  resources: Pick<ResourcesService, 'read' | 'create' | 'edit'>
  publisher: Pick<JobPublisher, 'publish'>
  log: Logger
}

/** Maximum number of pieces that a run receives at once. */
const FETCHED = 500

interface MeetingRef {
  job: JobRef
  meeting_id: string
}

/** Creates the activities for a meeting's run. Repeating an activity has no further effect. */
export function createMeetingActivities(deps: MeetingDeps): MeetingActivities {
  const { db, transcription, publisher, log } = deps
  const conclude = createConclude(deps)
  const settings = { log, subject: 'transcription' }

  /** Publishes a stored segment. A client that misses the event can read the segment from the meeting. */
  async function publishSegment({ job, meeting_id }: MeetingRef, seq: number): Promise<void> {
    const pieces = await db.inWorkspace(job.workspace_id, tx => listMeetingAudio(tx, meeting_id, seq))
    const piece = pieces.at(-1)
    if (piece?.seq !== seq) return
    const [segment] = buildSegments(pieces, false)
    const event: JobEvent = { type: 'segment', text: '', ...segment, seq }
    publisher.publish(job.job_id, piece.error ? { ...event, error: piece.error } : event)
  }

  return {
    listPendingAudio: ({ job, meeting_id, close }) =>
      db.inWorkspace(job.workspace_id, async tx => {
        // The API locks the run while it decides whether to announce a piece.
        await lockRun(tx, meeting_id)
        if (close) await setClosing(tx, meeting_id)
        return listPendingAudio(tx, meeting_id, FETCHED)
      }),

    transcribeMeetingPiece: withHeartbeat(settings, async ({ job, meeting_id, seq, sha256 }, { signal }) => {
      const at: AudioKey = { seq, sha256 }
      const audio = await db.inWorkspace(job.workspace_id, tx => findPendingAudio(tx, meeting_id, at))
      // The piece was already transcribed, or its bytes have been replaced.
      if (!audio) return
      const bytes = await readContent(db, job.workspace_id, audio, signal)
      const source = { bytes, format: audio.format }
      const transcript = await transcription.transcribe({ job, key: `${seq}/${sha256}` }, source, signal)
      const isSaved = await db.inWorkspace(job.workspace_id, tx => saveAudioOutcome(tx, meeting_id, at, { transcript }))
      if (isSaved) await publishSegment({ job, meeting_id }, seq)
    }),

    async recordAudioFailure({ job, meeting_id, seq, sha256, error }) {
      const at: AudioKey = { seq, sha256 }
      const isKept = await db.inWorkspace(job.workspace_id, tx => saveAudioOutcome(tx, meeting_id, at, { error }))
      if (isKept) await publishSegment({ job, meeting_id }, seq)
    },

    concludeMeeting: withHeartbeat(settings, async input => {
      const result = await conclude(input)
      const { artifact_id } = result
      publisher.publish(input.job.job_id, { type: 'ended', ...(artifact_id && { artifact_id }) })
      return result
    }),
  }
}

/** Writes the transcript to an artifact and to the meeting, and ends the meeting. */
function createConclude({ db, resources }: MeetingDeps) {
  /** A run writes one artifact, no matter how often it retries. */
  async function writeArtifact(
    principal: Principal,
    job: JobRef,
    meeting: ResourceView,
    content: string,
  ): Promise<string> {
    const { title, path, brain_id, id } = meeting
    const document = { content, media_type: 'text/markdown', metadata: { meeting_id: id } }
    const fields = { title: cleanTitle(`Transcript: ${title}`), path, brain_id, document }
    const key = { key: `meeting ${job.job_id}`, route: 'meeting', body_hash: job.job_id }
    return (await resources.create(principal, 'artifacts', fields, key)).id
  }

  return async ({ job, meeting_id, by }: MeetingRef & { by: string }): Promise<MeetingResult> => {
    // The permission was checked when the meeting was ended. The meeting may have moved to another brain since then.
    const principal: Principal = { ...buildPrincipal({ job, requester: by }), brain_ids: null, brain: undefined }
    const meeting = await resources.read(principal, 'meetings', meeting_id)
    const pieces = await db.inWorkspace(job.workspace_id, tx => listMeetingAudio(tx, meeting_id))
    const segments = mergeSegments((meeting.document as MeetingDocument).transcript, buildSegments(pieces, true))
    const content = renderTranscript(segments, escapeText)
    const artifact_id = segments.length > 0 ? await writeArtifact(principal, job, meeting, content) : undefined
    await resources.edit(principal, 'meetings', meeting_id, before => endMeeting(before, segments, artifact_id), {
      note: 'The meeting has ended',
    })
    const failed = pieces.filter(({ status }) => status === 'failed').length
    return { meeting_id, ...(artifact_id && { artifact_id }), segments: segments.length, failed }
  }
}

function endMeeting(before: { document: object }, segments: MeetingDocument['transcript'], artifact_id?: string) {
  const document = before.document as MeetingDocument
  const transcript = mergeSegments(document.transcript, segments)
  const ended_at = document.ended_at ?? new Date().toISOString()
  return {
    ...before,
    document: { ...document, status: 'ended', ended_at, transcript, ...(artifact_id && { artifact_id }) },
  }
}
