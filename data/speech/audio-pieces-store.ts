import type { PieceFormat } from '../../domain/speech/audio.ts'
import type { AudioPiece, PieceAnswer } from '../../domain/speech/transcript.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insert, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { bytes, computed, integer, list, nullable, pick, type Row } from '../shared/table.ts'
import { audioPiecesTable } from './tables.ts'

/** Identifies an audio recording within a job. */
export type AudioAddress = Pick<Row<typeof audioPiecesTable.columns>, 'job_id' | 'key'>

export interface NewPiece extends AudioPiece {
  format: PieceFormat
  bytes: Uint8Array
}

const STORED = {
  ...pick(audioPiecesTable, 'ordinal', 'start', 'duration', 'format', 'answer'),
  /** The size in bytes. Null after the bytes are deleted. */
  size: computed(nullable(integer()), 'octet_length(bytes)'),
}
/** A stored audio piece. `answer` is null until the speech service answers. */
export type StoredPiece = Row<typeof STORED>

/** Inserts a piece. Keeps an existing piece that has bytes or an answer, because splitting audio is deterministic. */
export async function savePiece(tx: Tx, { job_id, key }: AudioAddress, piece: NewPiece): Promise<void> {
  const { ordinal, start, duration, format, bytes } = piece
  await insert(
    tx,
    audioPiecesTable,
    {
      job_id,
      key,
      ordinal,
      start,
      duration,
      format,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    },
    `on conflict (job_id, key, ordinal) do update set (format, bytes) = (excluded.format, excluded.bytes)
      where audio_pieces.bytes is null and audio_pieces.answer is null`,
  )
}

export async function findPiece(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
): Promise<StoredPiece | undefined> {
  return selectOne(
    tx,
    STORED,
    `select ${list(STORED)}
       from audio_pieces where job_id = $1 and key = $2 and ordinal = $3`,
    [job_id, key, ordinal],
  )
}

const PART = { bytes: computed(nullable(bytes()), 'substring(bytes from $4::integer for $5::integer)') }

/** Returns `length` bytes of a piece, starting at offset `from`. */
export async function findPieceBytes(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
  { from, length }: { from: number; length: number },
): Promise<Buffer | undefined> {
  const piece = await selectOne(
    tx,
    PART,
    `select ${list(PART)}
       from audio_pieces where job_id = $1 and key = $2 and ordinal = $3`,
    [job_id, key, ordinal, from + 1, length],
  )
  return piece?.bytes ?? undefined
}

/** Saves the answer to a piece. Returns false when the piece already has an answer. */
export async function saveAnswer(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
  answer: PieceAnswer,
): Promise<boolean> {
  const condition = 'job_id = $1 and key = $2 and ordinal = $3 and answer is null'
  return (await update(tx, audioPiecesTable, { answer }, condition, [job_id, key, ordinal])) > 0
}

const COUNTS = {
  done: computed(integer(), 'count(answer)::integer'),
  total: computed(integer(), 'count(*)::integer'),
}

/** Counts the pieces of an audio recording, and the pieces that have an answer. */
export async function countPieces(tx: Tx, { job_id, key }: AudioAddress): Promise<Row<typeof COUNTS>> {
  const counted = await selectOne(
    tx,
    COUNTS,
    `select ${list(COUNTS)} from audio_pieces where job_id = $1 and key = $2`,
    [job_id, key],
  )
  return requireRow(counted)
}

const LISTED = pick(audioPiecesTable, 'ordinal', 'start', 'duration', 'answer')

/** Lists the pieces of an audio recording in order, without their bytes. */
export async function listPieces(tx: Tx, { job_id, key }: AudioAddress): Promise<Row<typeof LISTED>[]> {
  return select(
    tx,
    LISTED,
    `select ${list(LISTED)} from audio_pieces where job_id = $1 and key = $2 order by ordinal`,
    [job_id, key],
  )
}

/** Deletes the bytes of all pieces of an audio recording. */
export async function deletePieceBytes(tx: Tx, { job_id, key }: AudioAddress): Promise<void> {
  await execute(tx, 'update audio_pieces set bytes = null where job_id = $1 and key = $2 and bytes is not null', [
    job_id,
    key,
  ])
}
