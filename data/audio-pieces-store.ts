import type { AudioFormat } from '../domain/speech/audio.ts'
import type { AudioPiece, PieceAnswer } from '../domain/speech/transcript.ts'
import type { Tx } from './database.ts'
import { toStorableJson } from './json-text.ts'

/** Which audio of which job. */
export interface AudioAddress {
  job_id: string
  key: string
}

export interface NewPiece extends AudioPiece {
  format: AudioFormat
  bytes: Uint8Array
}

/** A piece to be sent; `answer` is there when it was. */
export interface StoredPiece extends AudioPiece {
  format: AudioFormat
  /** Bytes; null when they are gone. */
  size: number | null
  answer: PieceAnswer | null
}

/** The same audio is cut at the same places, so a piece that is there stays, with its answer. */
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

/** Some of its bytes, from `from` on. */
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

/** The first answer stays. Says whether this is it. */
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

/** How many pieces there are, and how many have an answer. */
export async function countPieces(tx: Tx, { job_id, key }: AudioAddress): Promise<{ done: number; total: number }> {
  const [counted] = await tx.query<{ done: number; total: number }[]>(
    'select count(answer)::integer as done, count(*)::integer as total from audio_pieces where job_id = $1 and key = $2',
    [job_id, key],
  )
  return counted ?? { done: 0, total: 0 }
}

/** In their order, without their bytes. */
export async function listPieces(
  tx: Tx,
  { job_id, key }: AudioAddress,
): Promise<(AudioPiece & { answer: PieceAnswer | null })[]> {
  return tx.query(
    'select ordinal, start, duration, answer from audio_pieces where job_id = $1 and key = $2 order by ordinal',
    [job_id, key],
  )
}

/** Lets go of the bytes of what is done with. */
export async function deletePieceBytes(tx: Tx, { job_id, key }: AudioAddress): Promise<void> {
  await tx.query('update audio_pieces set bytes = null where job_id = $1 and key = $2 and bytes is not null', [
    job_id,
    key,
  ])
}
