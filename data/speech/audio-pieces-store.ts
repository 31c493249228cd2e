import type { PieceFormat } from '../../domain/speech/audio.ts'
import type { AudioPiece, PieceAnswer } from '../../domain/speech/transcript.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

/** The address of one audio of a job. */
export interface AudioAddress {
  job_id: string
  key: string
}

export interface NewPiece extends AudioPiece {
  format: PieceFormat
  bytes: Uint8Array
}

/** A stored piece. `answer` is null until the speech service has answered. */
export interface StoredPiece extends AudioPiece {
  format: PieceFormat
  /** In bytes. Null after the bytes were deleted. */
  size: number | null
  answer: PieceAnswer | null
}

/** Inserts a piece. An existing piece with bytes or an answer stays: cutting is deterministic. */
export async function savePiece(tx: Tx, { job_id, key }: AudioAddress, piece: NewPiece): Promise<void> {
  const { ordinal, start, duration, format, bytes } = piece
  await tx.query(
    `insert into audio_pieces (job_id, key, ordinal, start, duration, format, bytes) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (job_id, key, ordinal) do update set (format, bytes) = (excluded.format, excluded.bytes)
      where audio_pieces.bytes is null and audio_pieces.answer is null`,
    [job_id, key, ordinal, start, duration, format, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  )
}

export async function findPiece(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
): Promise<StoredPiece | undefined> {
  const [piece] = await tx.query<StoredPiece[]>(
    `select ordinal, start, duration, format, octet_length(bytes) as size, answer
       from audio_pieces where job_id = $1 and key = $2 and ordinal = $3`,
    [job_id, key, ordinal],
  )
  return piece
}

/** Returns `length` bytes of a piece from offset `from`. */
export async function findPieceBytes(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
  { from, length }: { from: number; length: number },
): Promise<Buffer | undefined> {
  const [found] = await tx.query<{ bytes: Buffer | null }[]>(
    `select substring(bytes from $4::integer for $5::integer) as bytes
       from audio_pieces where job_id = $1 and key = $2 and ordinal = $3`,
    [job_id, key, ordinal, from + 1, length],
  )
  return found?.bytes ?? undefined
}

/** Saves the answer to a piece. Returns false when the piece already has an answer. */
export async function saveAnswer(
  tx: Tx,
  { job_id, key }: AudioAddress,
  ordinal: number,
  answer: PieceAnswer,
): Promise<boolean> {
  const saved = await tx.query<unknown[]>(
    `with saved as (
       update audio_pieces set answer = $4 where job_id = $1 and key = $2 and ordinal = $3 and answer is null
       returning ordinal
     ) select ordinal from saved`,
    [job_id, key, ordinal, toStorableJson(answer)],
  )
  return saved.length > 0
}

/** Counts the pieces of an audio and the pieces that have an answer. */
export async function countPieces(tx: Tx, { job_id, key }: AudioAddress): Promise<{ done: number; total: number }> {
  const [counted] = await tx.query<{ done: number; total: number }[]>(
    'select count(answer)::integer as done, count(*)::integer as total from audio_pieces where job_id = $1 and key = $2',
    [job_id, key],
  )
  return counted ?? { done: 0, total: 0 }
}

/** Lists the pieces of an audio in order, without their bytes. */
export async function listPieces(
  tx: Tx,
  { job_id, key }: AudioAddress,
): Promise<(AudioPiece & { answer: PieceAnswer | null })[]> {
  return tx.query(
    'select ordinal, start, duration, answer from audio_pieces where job_id = $1 and key = $2 order by ordinal',
    [job_id, key],
  )
}

/** Deletes the bytes of all pieces of an audio. */
export async function deletePieceBytes(tx: Tx, { job_id, key }: AudioAddress): Promise<void> {
  await tx.query('update audio_pieces set bytes = null where job_id = $1 and key = $2 and bytes is not null', [
    job_id,
    key,
  ])
}
