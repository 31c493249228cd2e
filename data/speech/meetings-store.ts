import type { JobStatus, NodeError } from '../../domain/runs/jobs.ts'
import type { AudioFormat } from '../../domain/speech/audio.ts'
import type { MeetingPiece } from '../../domain/speech/meeting.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

/** The job that transcribes a meeting. */
export interface MeetingRun {
  meeting_id: string
  job_id: string
  /** True when the meeting is ending and accepts no more audio. */
  closing: boolean
  /** Null before the first audio: the job row does not exist yet. */
  status: JobStatus | null
}

/** Assigns this job to a meeting that has none. Returns the run of the meeting. */
export async function reserveRun(tx: Tx, meetingId: string, jobId: string): Promise<MeetingRun> {
  await tx.query('insert into meeting_runs (meeting_id, job_id) values ($1, $2) on conflict (meeting_id) do nothing', [
    meetingId,
    jobId,
  ])
  return (await findRun(tx, { meeting_id: meetingId })) as MeetingRun
}

/** Waits for other transactions that hold the run of the meeting, and holds it until the end of this one. */
export async function lockRun(tx: Tx, meetingId: string): Promise<void> {
  await tx.query('select 1 from meeting_runs where meeting_id = $1 for update', [meetingId])
}

/** Assigns another job to a meeting whose job has ended. */
export async function replaceRun(tx: Tx, meetingId: string, jobId: string): Promise<void> {
  await tx.query('update meeting_runs set job_id = $2 where meeting_id = $1', [meetingId, jobId])
}

export async function findRun(
  tx: Tx,
  by: { meeting_id: string } | { job_id: string },
): Promise<MeetingRun | undefined> {
  const [column, value] = 'job_id' in by ? ['job_id', by.job_id] : ['meeting_id', by.meeting_id]
  const [run] = await tx.query<MeetingRun[]>(
    `select run.meeting_id, run.job_id, run.closing, jobs.status
       from meeting_runs run left join jobs on jobs.job_id = run.job_id where run.${column} = $1`,
    [value],
  )
  return run
}

/** Returns false when the meeting was closing before. */
export async function setClosing(tx: Tx, meetingId: string): Promise<boolean> {
  const [, count] = await tx.query<[unknown, number]>(
    'update meeting_runs set closing = true where meeting_id = $1 and not closing',
    [meetingId],
  )
  return count > 0
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
 * Saves a piece. Other bytes, speaker or start replace it, and a failed piece becomes pending again. Returns false
 * when nothing changed.
 */
export async function saveMeetingAudio(tx: Tx, meetingId: string, audio: NewMeetingAudio): Promise<boolean> {
  const { seq, sha256, size, format, speaker = null, start = null } = audio
  const saved = await tx.query<unknown[]>(
    `insert into meeting_audio as known (meeting_id, seq, sha256, size, format, speaker, start)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (meeting_id, seq) do update set
       (sha256, size, format, speaker, start, duration, status, answer, error) =
       (excluded.sha256, excluded.size, excluded.format, excluded.speaker, excluded.start, null, 'pending', null, null)
      where (known.sha256, known.speaker, known.start) is distinct from (excluded.sha256, excluded.speaker, excluded.start)
         or known.status = 'failed'
     returning seq`,
    [meetingId, seq, sha256, size, format, speaker, start],
  )
  return saved.length > 0
}

/** The position and hash of a piece. Outcomes for other bytes belong to a replaced piece. */
export interface AudioKey {
  seq: number
  sha256: string
}

export type MeetingAudio = AudioKey & { size: number; format: AudioFormat }

/** Returns the piece when these bytes are pending. */
export async function findPendingAudio(
  tx: Tx,
  meetingId: string,
  { seq, sha256 }: AudioKey,
): Promise<MeetingAudio | undefined> {
  const [found] = await tx.query<MeetingAudio[]>(
    `select seq, sha256, size, format from meeting_audio
      where meeting_id = $1 and seq = $2 and sha256 = $3 and status = 'pending'`,
    [meetingId, seq, sha256],
  )
  return found
}

/** Lists the first pending pieces. */
export async function listPendingAudio(tx: Tx, meetingId: string, limit: number): Promise<AudioKey[]> {
  return tx.query(
    `select seq, sha256 from meeting_audio where meeting_id = $1 and status = 'pending' order by seq limit $2`,
    [meetingId, limit],
  )
}

/** Counts the pending pieces of a meeting, up to a maximum. */
export async function countPendingAudio(tx: Tx, meetingId: string, max: number): Promise<number> {
  const found = await tx.query<unknown[]>(
    `select 1 from meeting_audio where meeting_id = $1 and status = 'pending' limit $2`,
    [meetingId, max],
  )
  return found.length
}

/** Saves the outcome of a transcription. Returns false when other bytes have replaced the piece. */
export async function saveAudioOutcome(
  tx: Tx,
  meetingId: string,
  { seq, sha256 }: AudioKey,
  outcome: { transcript: Transcript } | { error: NodeError },
): Promise<boolean> {
  const [status, answer, error, duration] =
    'transcript' in outcome
      ? ['done', toStorableJson(outcome.transcript), null, outcome.transcript.duration_seconds]
      : ['failed', null, toStorableJson(outcome.error), null]
  const settled = await tx.query<unknown[]>(
    `with settled as (
       update meeting_audio set status = $4, answer = $5, error = $6, duration = $7
        where meeting_id = $1 and seq = $2 and sha256 = $3 and status = 'pending' returning seq
     ) select seq from settled`,
    [meetingId, seq, sha256, status, answer, error, duration],
  )
  return settled.length > 0
}

export type MeetingAudioState = MeetingPiece & { status: 'pending' | 'done' | 'failed'; error: NodeError | null }

/** Lists pieces in the order of `seq`. With `upTo` it ends at that piece and returns only its text. */
export async function listMeetingAudio(tx: Tx, meetingId: string, upTo?: number): Promise<MeetingAudioState[]> {
  return tx.query(
    `select seq, speaker, start, duration, status, error,
            case when $2::integer is null or seq = $2 then answer ->> 'text' end as text
       from meeting_audio where meeting_id = $1 and ($2 is null or seq <= $2) order by seq`,
    [meetingId, upTo ?? null],
  )
}
