import type { NodeError } from '../../domain/runs/nodes.ts'
import type { AudioFormat } from '../../domain/speech/audio.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne, update } from '../shared/statements.ts'
import { computed, list, nullable, pick, text, type Row } from '../shared/table.ts'
import { jobsTable } from '../runs/tables.ts'
import { meetingAudioTable, meetingRunsTable } from './tables.ts'

const RUN = {
  ...pick(meetingRunsTable, 'meeting_id', 'job_id', 'closing'),
  /** Null until the first audio arrives, because the job row does not exist yet. */
  status: computed(nullable(jobsTable.columns.status), 'jobs.status'),
}
/** The job that transcribes a meeting. */
export type MeetingRun = Row<typeof RUN>

/** Assigns the job to a meeting that has no job yet. Returns the meeting's job. */
export async function reserveRun(tx: Tx, meetingId: string, jobId: string): Promise<MeetingRun> {
  const run = { meeting_id: meetingId, job_id: jobId }
  await insert(tx, meetingRunsTable, run, 'on conflict (meeting_id) do nothing')
  return (await findRun(tx, { meeting_id: meetingId })) as MeetingRun
}

/** Waits for other transactions that hold the lock on the meeting's job, and locks it until this transaction ends. */
export async function lockRun(tx: Tx, meetingId: string): Promise<void> {
  await execute(tx, 'select from meeting_runs where meeting_id = $1 for update', [meetingId])
}

/** Assigns a new job to a meeting whose previous job has ended. */
export async function replaceRun(tx: Tx, meetingId: string, jobId: string): Promise<void> {
  await update(tx, meetingRunsTable, { job_id: jobId }, 'meeting_id = $1', [meetingId])
}

export async function findRun(
  tx: Tx,
  by: { meeting_id: string } | { job_id: string },
): Promise<MeetingRun | undefined> {
  const [column, value] = 'job_id' in by ? ['job_id', by.job_id] : ['meeting_id', by.meeting_id]
  return selectOne(
    tx,
    RUN,
    `select ${list(RUN, 'run')}
       from meeting_runs run left join jobs on jobs.job_id = run.job_id where run.${column} = $1`,
    [value],
  )
}

/** Marks the meeting as closing. Returns false when it was already closing. */
export async function setClosing(tx: Tx, meetingId: string): Promise<boolean> {
  return (await update(tx, meetingRunsTable, { closing: true }, 'meeting_id = $1 and not closing', [meetingId])) > 0
}

export interface NewMeetingAudio {
  seq: number
  sha256: string
  size: number
  format: AudioFormat
  speaker?: string
  start?: number
}

/**
 * Saves an audio piece. A piece with different bytes, speaker or start replaces the existing piece, and a failed
 * piece becomes pending again. Returns false when nothing changed.
 */
export async function saveMeetingAudio(tx: Tx, meetingId: string, audio: NewMeetingAudio): Promise<boolean> {
  const { seq, sha256, size, format, speaker = null, start = null } = audio
  const rows = await insert(
    tx,
    meetingAudioTable,
    { meeting_id: meetingId, seq, sha256, size, format, speaker, start },
    `on conflict (meeting_id, seq) do update set
       (sha256, size, format, speaker, start, duration, status, answer, error) =
       (excluded.sha256, excluded.size, excluded.format, excluded.speaker, excluded.start, null, 'pending', null, null)
      where (meeting_audio.sha256, meeting_audio.speaker, meeting_audio.start)
              is distinct from (excluded.sha256, excluded.speaker, excluded.start)
         or meeting_audio.status = 'failed'`,
  )
  return rows > 0
}

const KEY = pick(meetingAudioTable, 'seq', 'sha256')
/** The position and hash of an audio piece. An outcome with a different hash belongs to bytes that were replaced. */
export type AudioKey = Row<typeof KEY>

const AUDIO = { ...KEY, ...pick(meetingAudioTable, 'size', 'format') }
export type MeetingAudio = Row<typeof AUDIO>

/** Returns the piece if it has this hash and is pending. */
export async function findPendingAudio(
  tx: Tx,
  meetingId: string,
  { seq, sha256 }: AudioKey,
): Promise<MeetingAudio | undefined> {
  return selectOne(
    tx,
    AUDIO,
    `select ${list(AUDIO)} from meeting_audio
      where meeting_id = $1 and seq = $2 and sha256 = $3 and status = 'pending'`,
    [meetingId, seq, sha256],
  )
}

/** Lists the first `limit` pending pieces of a meeting. */
export async function listPendingAudio(tx: Tx, meetingId: string, limit: number): Promise<AudioKey[]> {
  return select(
    tx,
    KEY,
    `select ${list(KEY)} from meeting_audio where meeting_id = $1 and status = 'pending' order by seq limit $2`,
    [meetingId, limit],
  )
}

/** Counts a meeting's pending pieces, up to `max`. */
export async function countPendingAudio(tx: Tx, meetingId: string, max: number): Promise<number> {
  return execute(tx, `select from meeting_audio where meeting_id = $1 and status = 'pending' limit $2`, [
    meetingId,
    max,
  ])
}

/** Saves the outcome of transcribing a piece. Returns false when the piece has been replaced by different bytes. */
export async function saveAudioOutcome(
  tx: Tx,
  meetingId: string,
  { seq, sha256 }: AudioKey,
  outcome: { transcript: Transcript } | { error: NodeError },
): Promise<boolean> {
  const settled = await update(
    tx,
    meetingAudioTable,
    'transcript' in outcome
      ? {
          status: 'done',
          answer: outcome.transcript,
          error: null,
          duration: outcome.transcript.duration_seconds,
        }
      : { status: 'failed', answer: null, error: outcome.error, duration: null },
    `meeting_id = $1 and seq = $2 and sha256 = $3 and status = 'pending'`,
    [meetingId, seq, sha256],
  )
  return settled > 0
}

const STATE = {
  ...pick(meetingAudioTable, 'seq', 'speaker', 'start', 'duration', 'status', 'error'),
  text: computed(nullable(text()), `case when $2::integer is null or seq = $2 then answer ->> 'text' end`),
}
export type MeetingAudioState = Row<typeof STATE>

/**
 * Lists audio pieces in `seq` order. With `upTo`, the list ends at that piece, and contains text only for that piece.
 */
export async function listMeetingAudio(tx: Tx, meetingId: string, upTo?: number): Promise<MeetingAudioState[]> {
  return select(
    tx,
    STATE,
    `select ${list(STATE)}
       from meeting_audio where meeting_id = $1 and ($2 is null or seq <= $2) order by seq`,
    [meetingId, upTo ?? null],
  )
}
