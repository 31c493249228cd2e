import { WorkflowNotFoundError } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import type { Config } from '../../config/config.ts'
import { hasContent, saveContent } from '../../data/contents-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import { findRun, saveMeetingAudio, setClosing } from '../../data/meetings-store.ts'
import type { Resource } from '../../data/resources-store.ts'
import { Conflict, NotFound } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import type { MeetingDocument } from '../../domain/resources/kinds/meetings.ts'
import { audioSignal, endSignal } from '../../workflows/meeting/messages.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'
import type { JobsService } from '../jobs/types.ts'
import { holdHead, requireHead } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'
import type { Temporal } from '../temporal.ts'
import { inspectAudio } from '../transcription/inspect-audio.ts'
import { requireSpeech } from '../transcription/transcription.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { launchOf, runOf } from './runs.ts'
import type { MeetingsService } from './types.ts'
import { meetingView } from './views.ts'

export interface ListeningDeps {
  db: Database
  temporal: Temporal
  launcher: Pick<Launcher, 'accept' | 'begin' | 'refFor'>
  publisher: Pick<JobPublisher, 'publish'>
  jobs: Pick<JobsService, 'status'>
  resources: Pick<ResourcesService, 'read' | 'edit'>
  config: Pick<Config, 'SPEECH_URL' | 'SPEECH_CONCURRENCY' | 'AUDIO_MAX_BYTES' | 'MEETING_IDLE_MINUTES'>
}

/** How long a caller may be kept waiting for the end of a meeting. */
const END_WAIT = 25_000

interface Open {
  meeting: Resource
  launch: Launch
  closing: boolean
  /** Its stream has not been opened yet. */
  isNew: boolean
  /** The run may not have begun. */
  begins: boolean
}

/** Takes the audio of meetings, and ends them. What is taken is in Postgres before the run is told of it. */
export function createListening(deps: ListeningDeps): Pick<MeetingsService, 'hear' | 'end' | 'streamOf'> {
  const { db, temporal, launcher, publisher, jobs, resources, config } = deps

  /** The meeting's run, whose row is written where it is to begin. */
  async function openRun(tx: Tx, principal: Principal, meeting: Resource): Promise<Open> {
    const { status, closing, isNew, ...run } = await runOf(tx, principal, meeting, launcher)
    const launch = launchOf(principal, meeting, run.job_id, config)
    if (status === null) await launcher.accept(tx, principal, launch)
    return { meeting, launch, closing, isNew, begins: status === null || status === 'pending' }
  }

  async function tellOnce<A extends unknown[]>(open: Open, signal: SignalDefinition<A>, args: A): Promise<void> {
    const { launch, isNew, begins } = open
    const { job_id } = launch.job
    if (isNew) openStream(job_id)
    if (begins) await launcher.begin(launch, { isNew: false, canBeSentAgain: true })
    await temporal.call(() => temporal.handle(job_id).signal(signal, ...args))
  }

  /** A run that an operator has ended is one that its row may not know of: once it does, another one begins. */
  async function tell<A extends unknown[]>(
    principal: Principal,
    open: () => Promise<Open>,
    signal: SignalDefinition<A>,
    ...args: A
  ): Promise<Open> {
    const opened = await open()
    try {
      await tellOnce(opened, signal, args)
      return opened
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      await jobs.status(principal, opened.launch.job.job_id)
      const reopened = await open()
      await tellOnce(reopened, signal, args)
      return reopened
    }
  }

  /** What a stream begins with, also where nothing has been said yet. */
  const openStream = (jobId: string) => publisher.publish(jobId, { type: 'status', status: 'pending' })

  async function goLive(principal: Principal, { id, document }: Resource): Promise<void> {
    if ((document as MeetingDocument).status !== 'scheduled') return
    await resources.edit(principal, 'meetings', id, live, { note: 'The meeting has begun' })
  }

  return {
    async hear(principal, idOrSlug, { content, mime_type, seq, speaker, start }) {
      requireSpeech(config)
      const { format, size, sha256 } = await inspectAudio({ content, mime_type }, config.AUDIO_MAX_BYTES)
      const take = () =>
        db.inWorkspace(principal.workspace_id, async tx => {
          requireOpen(await requireHead(tx, principal, { kind: 'meetings', idOrSlug }))
          // Before the head is held, since it may take a while.
          if (!(await hasContent(tx, sha256))) await saveContent(tx, content)
          const meeting = await holdHead(tx, principal, { kind: 'meetings', idOrSlug })
          requireOpen(meeting)
          const open = await openRun(tx, principal, meeting)
          if (open.closing) throw new Conflict('The meeting is ending: no more audio is taken')
          await saveMeetingAudio(tx, meeting.id, { seq, sha256, size, format, speaker, start })
          return open
        })
      const { meeting, launch } = await tell(principal, take, audioSignal, { seq, sha256 })
      await goLive(principal, meeting)
      return { meeting_id: meeting.id, job_id: launch.job.job_id, seq, sha256 }
    },

    async end(principal, idOrSlug) {
      const close = () =>
        db.inWorkspace(principal.workspace_id, async tx => {
          const meeting = await holdHead(tx, principal, { kind: 'meetings', idOrSlug })
          requireOpen(meeting)
          const open = await openRun(tx, principal, meeting)
          await setClosing(tx, meeting.id)
          return open
        })
      const known = await resources.read(principal, 'meetings', idOrSlug)
      if ((known.document as MeetingDocument).status === 'ended')
        return { meeting: meetingView(known), job_id: null, ended: true }
      const { launch } = await tell(principal, close, endSignal, { by: principal.actor })
      const { job_id } = launch.job
      await temporal.call(() => temporal.handle(job_id).result(), END_WAIT).catch(() => undefined)
      const meeting = meetingView(await resources.read(principal, 'meetings', known.id))
      return { meeting, job_id, ended: meeting.status === 'ended' }
    },

    async streamOf(principal, idOrSlug) {
      const { job_id, isNew } = await db.inWorkspace(principal.workspace_id, async tx => {
        const meeting = await requireHead(tx, principal, { kind: 'meetings', idOrSlug })
        if (!hasEnded(meeting)) return runOf(tx, principal, meeting, launcher)
        const run = await findRun(tx, { meeting_id: meeting.id })
        if (!run) throw new NotFound('The stream of this meeting')
        return { ...run, isNew: false }
      })
      if (isNew) openStream(job_id)
      return job_id
    },
  }
}

const hasEnded = ({ document }: Resource): boolean => (document as MeetingDocument).status === 'ended'

function requireOpen(meeting: Resource): void {
  if (hasEnded(meeting)) throw new Conflict('The meeting has ended: its transcript cannot change')
}

/** Unless somebody has moved it on meanwhile. */
function live(before: { document: object }) {
  const document = before.document as MeetingDocument
  return document.status === 'scheduled' ? { ...before, document: { ...document, status: 'live' } } : before
}
