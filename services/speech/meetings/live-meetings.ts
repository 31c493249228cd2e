import { WorkflowNotFoundError } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import type { Config } from '../../../config/config.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import { saveContent } from '../../../data/documents/contents-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  countPendingAudio,
  findRun,
  lockRun,
  saveMeetingAudio,
  setClosing,
} from '../../../data/speech/meetings-store.ts'
import type { Resource } from '../../../data/resources/resources-store.ts'
import type { JobPublisher } from '../../../streams/job-publisher.ts'
import { Conflict, NotFound } from '../../../domain/shared/errors.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import { type AnnouncedPiece, audioSignal, endSignal } from '../../../workflows/speech/meeting-messages.ts'
import type { JobBuild, JobStarter } from '../../runs/start/job-starter.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { lockHead, getHead } from '../../resources/finding.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { inspectAudio, type ReceivedAudio } from '../inspect-audio.ts'
import { requireSpeech } from '../transcription.ts'
import type { ResourcesService } from '../../resources/resources.ts'
import { buildMeetingJob, reserveMeetingRun } from './meeting-run.ts'
import { presentMeeting } from './views.ts'
import type { MeetingsService } from './meetings.ts'

export interface NewMeetingPiece extends ReceivedAudio {
  /** The piece's sequence number. Pieces may be sent more than once and in any order. */
  seq: number
  speaker?: string
  /** Seconds since the start of the meeting. */
  start?: number
}

export interface LiveMeetingsDeps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
  publisher: Pick<JobPublisher, 'publish'>
  jobs: Pick<JobsService, 'status'>
  resources: Pick<ResourcesService, 'read' | 'edit'>
  config: Pick<Config, 'SPEECH_URL' | 'SPEECH_CONCURRENCY' | 'AUDIO_MAX_BYTES' | 'MEETING_IDLE_MINUTES'>
}

/**
 * Maximum number of pieces announced by signals, because a run must process all pending signals within 5 s. The run
 * fetches further pieces itself.
 */
const MAX_ANNOUNCED = 100
/** Once this number of pieces are waiting, a signal informs the run that more pieces may arrive without a signal. */
const BEHIND = 50

/** Time that a call waits for a meeting to end, in milliseconds. */
const END_WAIT_MS = 25_000

interface MeetingCall {
  meeting: Resource
  job_id: string
  /** Number of pieces waiting for the meeting's run, up to MAX_ANNOUNCED. */
  waiting?: number
}

type BuildCall = (tx: Tx) => Promise<JobBuild<MeetingCall>>

/** Accepts meeting audio and ends meetings. The audio is stored in Postgres before the run receives its signal. */
export function createLiveMeetings(deps: LiveMeetingsDeps): Pick<MeetingsService, 'addAudio' | 'end' | 'openStream'> {
  const { db, temporal, jobStarter, publisher, jobs, resources, config } = deps

  const signal = <A extends unknown[]>(job_id: string, definition: SignalDefinition<A>, ...args: A) =>
    temporal.call(() => temporal.handle(job_id).signal(definition, ...args))

  /**
   * Starts the run if it has not started, then calls `tell` to notify it. `tell` returns false if the run has ended.
   */
  async function startAndTell(
    principal: Principal,
    build: BuildCall,
    tell: (call: MeetingCall) => Promise<boolean>,
  ): Promise<MeetingCall> {
    const call = () => jobStarter.start(principal, undefined, build)
    const meetingCall = await call()
    if (await tell(meetingCall).catch(orEnded)) return meetingCall
    // An operator has ended the run. Reading the status updates the run's row, and then a new run starts.
    await jobs.status(principal, meetingCall.job_id)
    const restarted = await call()
    await tell(restarted)
    return restarted
  }

  /** Announces a piece, unless so many pieces are waiting that the run fetches the piece anyway. */
  const announce =
    (principal: Principal, piece: AnnouncedPiece) =>
    async ({ job_id, waiting = 0 }: MeetingCall): Promise<boolean> => {
      if (waiting >= MAX_ANNOUNCED) return !isTerminal((await jobs.status(principal, job_id)).status)
      await signal(job_id, audioSignal, waiting < BEHIND ? piece : { ...piece, is_behind: true })
      return true
    }

  /** Locks an open meeting and reserves a run for it. */
  async function lockMeeting(tx: Tx, principal: Principal, idOrSlug: string) {
    const meeting = await lockHead(tx, principal, { kind: 'meetings', idOrSlug })
    requireOpen(meeting)
    const run = await reserveMeetingRun(tx, meeting)
    await lockRun(tx, run.meeting_id)
    const jobStart = buildMeetingJob(principal, meeting, run, config)
    return { run, jobStart, response: { meeting, job_id: run.job_id } }
  }

  async function setLive(principal: Principal, { id, document }: Resource): Promise<void> {
    if ((document as MeetingDocument).status !== 'scheduled') return
    await resources.edit(principal, 'meetings', id, markLive, { note: 'The meeting has started' })
  }

  return {
    async addAudio(principal, idOrSlug, { content, mime_type, seq, speaker, start }) {
      requireSpeech(config)
      const { format, size, sha256 } = await inspectAudio({ content, mime_type }, config.AUDIO_MAX_BYTES)
      const build: BuildCall = async tx => {
        requireOpen(await getHead(tx, principal, { kind: 'meetings', idOrSlug }))
        // Saved before the head is locked, because saving takes time.
        await saveContent(tx, content)
        const { run, ...call } = await lockMeeting(tx, principal, idOrSlug)
        if (run.closing) throw new Conflict('The meeting is ending and accepts no more audio')
        const isNew = await saveMeetingAudio(tx, run.meeting_id, { seq, sha256, size, format, speaker, start })
        if (isNew) await audit(tx, principal, 'meeting.audio', call.response.meeting, { seq, sha256, size })
        const waiting = await countPendingAudio(tx, run.meeting_id, MAX_ANNOUNCED)
        return { ...call, response: { ...call.response, waiting } }
      }
      const { meeting, job_id } = await startAndTell(principal, build, announce(principal, { seq, sha256 }))
      await setLive(principal, meeting)
      return { meeting_id: meeting.id, job_id, seq, sha256 }
    },

    async end(principal, idOrSlug) {
      const before = await resources.read(principal, 'meetings', idOrSlug)
      if (hasEnded(before)) return { meeting: presentMeeting(before), job_id: null, ended: true }
      const build: BuildCall = async tx => {
        const { run, ...call } = await lockMeeting(tx, principal, idOrSlug)
        if (await setClosing(tx, run.meeting_id)) await audit(tx, principal, 'meeting.end', call.response.meeting)
        return call
      }
      const tellEnd = async ({ job_id }: MeetingCall) => {
        await signal(job_id, endSignal, { by: principal.actor })
        return true
      }
      const job_id = await startAndTell(principal, build, tellEnd).then(meetingCall => meetingCall.job_id, ignoreEnded)
      if (job_id !== null)
        await temporal.call(() => temporal.handle(job_id).result(), END_WAIT_MS).catch(() => undefined)
      const meeting = presentMeeting(await resources.read(principal, 'meetings', before.id))
      return { meeting, job_id, ended: meeting.status === 'ended' }
    },

    async openStream(principal, idOrSlug) {
      const { job_id, isNew } = await db.inWorkspace(principal.workspace_id, async tx => {
        const meeting = await getHead(tx, principal, { kind: 'meetings', idOrSlug })
        if (!hasEnded(meeting)) return reserveMeetingRun(tx, meeting)
        const run = await findRun(tx, { meeting_id: meeting.id })
        if (!run) throw new NotFound('The stream of this meeting')
        return { ...run, isNew: false }
      })
      if (isNew) publisher.publish(job_id, { type: 'status', status: 'pending' })
      return job_id
    },
  }
}

const audit = (
  tx: Tx,
  principal: Principal,
  action: 'meeting.audio' | 'meeting.end',
  { id, brain_id }: Resource,
  details?: JsonObject,
): Promise<void> => writeAudit(tx, principal, { action, target: id, brain_id, details })

const hasEnded = ({ document }: { document: object }): boolean => (document as MeetingDocument).status === 'ended'

function requireOpen(meeting: Resource): void {
  if (hasEnded(meeting)) throw new Conflict('The meeting has ended, so its transcript cannot change')
}

/** Returns false if the error means that the run has ended. */
function orEnded(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false
  throw error
}

/** A concurrent request may have ended the meeting in the meantime. */
function ignoreEnded(error: unknown): null {
  if (error instanceof Conflict) return null
  throw error
}

/** Has no effect if a concurrent request has changed the status. */
function markLive(before: { document: object }) {
  const document = before.document as MeetingDocument
  return document.status === 'scheduled' ? { ...before, document: { ...document, status: 'live' } } : before
}
