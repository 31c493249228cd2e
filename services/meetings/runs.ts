import type { Config } from '../../config/config.ts'
import { findRun, type MeetingRun, replaceRun, reserveRun } from '../../data/meetings-store.ts'
import type { Tx } from '../../data/database.ts'
import type { Resource } from '../../data/resources-store.ts'
import { isTerminal, type JobRef } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import { MEETING_WORKFLOW, type MeetingRunInput } from '../../workflows/meeting/messages.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'

export interface RunOfMeeting extends MeetingRun {
  /** Its stream has not been opened yet. */
  isNew: boolean
}

type Settings = Pick<Config, 'SPEECH_CONCURRENCY' | 'MEETING_IDLE_MINUTES'>

/** Of one piece, with all its requests and the waits between them. */
const PIECE_MS = 3_600_000

/** The job of a meeting that listens to it: the one it has, or another where that is over and the meeting is not. */
export async function runOf(
  tx: Tx,
  principal: Principal,
  meeting: Resource,
  launcher: Pick<Launcher, 'refFor'>,
): Promise<RunOfMeeting> {
  const { job_id } = launcher.refFor(principal, 'meeting')
  const run = await reserveRun(tx, meeting.id, job_id)
  if (run.status === null || !isTerminal(run.status)) return { ...run, isNew: run.job_id === job_id }
  await replaceRun(tx, meeting.id, job_id)
  return { ...((await findRun(tx, { job_id })) as MeetingRun), isNew: true }
}

export function launchOf(principal: Principal, meeting: Resource, job_id: string, settings: Settings): Launch {
  const brain_id = meeting.brain_id ?? undefined
  const job: JobRef = { job_id, root_job_id: job_id, workspace_id: principal.workspace_id, brain_id }
  const { SPEECH_CONCURRENCY: concurrency, MEETING_IDLE_MINUTES: idle } = settings
  const limits = { concurrency, time_limit_ms: PIECE_MS, idle_ms: idle * 60_000 }
  const run: MeetingRunInput = { job, meeting_id: meeting.id, requester: principal.actor, ...limits }
  const details = `Meeting **${meeting.id}**, begun by ${principal.actor}. Job \`${job_id}\`.`
  const workflow = { type: MEETING_WORKFLOW, args: [run], details }
  return {
    job,
    kind: 'meeting',
    title: meeting.title,
    requester: principal.actor,
    input: { meeting_id: meeting.id },
    workflow,
  }
}
