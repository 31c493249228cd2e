import type { NodeError } from '../../domain/runs/nodes.ts'
import type { AudioFormat, PieceFormat } from '../../domain/speech/audio.ts'
import type { PieceAnswer, Transcript } from '../../domain/speech/transcript.ts'
import { defineTable, boolean, bytes, double, integer, json, nullable, primary, text, uuid } from '../shared/table.ts'

/** Pieces for the speech service with its answers, so that none is sent twice. Bytes are deleted when the job ends. */
export const audioPiecesTable = defineTable('audio_pieces', {
  workspace_id: uuid(),
  job_id: primary(text()),
  /** The audio within the job: a node of a pathway, or a piece of a meeting. */
  key: primary(text()),
  ordinal: primary(integer()),
  /** Seconds. */
  start: double(),
  duration: double(),
  format: text<PieceFormat>(),
  bytes: nullable(bytes()),
  /** Null until the speech service has answered. */
  answer: nullable(json<PieceAnswer>()),
})

/** The audio of meetings, piece by piece. */
export const meetingAudioTable = defineTable('meeting_audio', {
  workspace_id: uuid(),
  meeting_id: primary(uuid()),
  seq: primary(integer()),
  sha256: text(),
  /** Bytes. */
  size: integer(),
  format: text<AudioFormat>(),
  speaker: nullable(text()),
  /** Seconds: start as sent, duration as measured. */
  start: nullable(double()),
  duration: nullable(double()),
  status: text<'pending' | 'done' | 'failed'>(),
  answer: nullable(json<Transcript>()),
  error: nullable(json<NodeError>()),
})

/** The job that transcribes a meeting. The stream is known before the first audio, so jobs may have no row yet. */
export const meetingRunsTable = defineTable('meeting_runs', {
  workspace_id: uuid(),
  meeting_id: primary(uuid()),
  job_id: text(),
  /** Set when the meeting ends: further audio is refused. */
  closing: boolean(),
})
