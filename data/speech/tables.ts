import type { NodeError } from '../../domain/runs/nodes.ts'
import type { AudioFormat, PieceFormat } from '../../domain/speech/audio.ts'
import type { PieceAnswer, Transcript } from '../../domain/speech/transcript.ts'
import { defineTable, boolean, bytes, double, integer, json, nullable, primary, text, uuid } from '../shared/table.ts'

/**
 * Audio pieces with the answers from the speech service, so that no piece is sent twice. The bytes are deleted when
 * the job ends.
 */
export const audioPiecesTable = defineTable('audio_pieces', {
  workspace_id: uuid(),
  job_id: primary(text()),
  /** The recording within the job: the key of a pathway node, or a meeting piece. */
  key: primary(text()),
  ordinal: primary(integer()),
  /** Seconds. */
  start: double(),
  duration: double(),
  format: text<PieceFormat>(),
  bytes: nullable(bytes()),
  /** Null until the speech service answers. */
  answer: nullable(json<PieceAnswer>()),
})

/** The audio of meetings, in pieces. */
export const meetingAudioTable = defineTable('meeting_audio', {
  workspace_id: uuid(),
  meeting_id: primary(uuid()),
  seq: primary(integer()),
  sha256: text(),
  /** Bytes. */
  size: integer(),
  format: text<AudioFormat>(),
  speaker: nullable(text()),
  /** In seconds. The start is as sent by the client; the duration is measured. */
  start: nullable(double()),
  duration: nullable(double()),
  status: text<'pending' | 'done' | 'failed'>(),
  answer: nullable(json<Transcript>()),
  error: nullable(json<NodeError>()),
})

/**
 * The job that transcribes a meeting. Clients can open the stream before the first audio arrives, so the job may not
 * have a row yet.
 */
export const meetingRunsTable = defineTable('meeting_runs', {
  workspace_id: uuid(),
  meeting_id: primary(uuid()),
  job_id: text(),
  /** Set when the meeting ends. Audio that arrives later is rejected. */
  closing: boolean(),
})
