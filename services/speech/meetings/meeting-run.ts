import type { Config } from '../../../config/config.ts'
import { findRun, type MeetingRun, replaceRun, reserveRun } from '../../../data/speech/meetings-store.ts'
import { findJob, type JobRecord, toJobRef } from '../../../data/runs/jobs-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { Resource } from '../../../data/resources/resources-store.ts'
import { filterRights } from '../../../domain/access/rights.ts'
import { isTerminal, type JobRef } from '../../../domain/runs/jobs.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { MEETING_WORKFLOW, type MeetingRunInput } from '../../../workflows/speech/meeting-messages.ts'
import { type JobStart, newJobId } from '../../runs/start/job-starter.ts'

export interface ReservedRun extends MeetingRun {
  /** True if the run's stream has not been opened yet. */
  isNew: boolean
  /** The job's row, if it already exists. */
  existing?: JobRecord
}

type Settings = Pick<Config, 'SPEECH_CONCURRENCY' | 'MEETING_IDLE_MINUTES'>

/** Time limit for one audio recording, including all its requests and the waits between them. */
const AUDIO_MS = 3_600_000

/** Returns an open meeting's run: the current run, or a new run if the current run has ended. */
export async function reserveMeetingRun(tx: Tx, meeting: Resource): Promise<ReservedRun> {
  const job_id = newJobId('meeting')
  const run = await reserveRun(tx, meeting.id, job_id)
  if (run.status === null) return { ...run, isNew: run.job_id === job_id }
  if (!isTerminal(run.status)) return { ...run, isNew: false, existing: await findJob(tx, run.job_id) }
  await replaceRun(tx, meeting.id, job_id)
  return { ...((await findRun(tx, { job_id })) as MeetingRun), isNew: true }
}

/** Builds the job for a reserved run that has not started. */
export function buildMeetingJob(
  principal: Principal,
  meeting: Resource,
  { job_id, status, isNew, existing }: ReservedRun,
  settings: Settings,
): JobStart | undefined {
  if (status !== null && status !== 'pending') return undefined
  const { workspace_id, actor, people, permissions } = principal
  const ref = { job_id, root_job_id: job_id, workspace_id, brain_id: meeting.brain_id ?? undefined }
  const job: JobRef = existing ? toJobRef(existing) : { ...ref, people, rights: filterRights(permissions) }
  const requester = existing?.requester ?? actor
  const { SPEECH_CONCURRENCY: concurrency, MEETING_IDLE_MINUTES: idle } = settings
  const limits = { concurrency, time_limit_ms: AUDIO_MS, idle_ms: idle * 60_000 }
  // Pieces that were announced to an earlier run may still be waiting.
  const run: MeetingRunInput = { job, meeting_id: meeting.id, requester, ...limits, is_behind: true }
  const details = `Meeting **${meeting.id}**, started by ${requester}. Job \`${job_id}\`.`
  return {
    job,
    kind: 'meeting',
    title: meeting.title,
    requester,
    input: { meeting_id: meeting.id },
    isRepeatable: true,
    hasStream: !isNew,
    workflow: { type: MEETING_WORKFLOW, args: [run], details },
  }
}
