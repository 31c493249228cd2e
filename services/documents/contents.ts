import { findContentRange } from '../../data/documents/contents-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { AppError } from '../../domain/shared/errors.ts'

/** Small enough that decoding a slice does not block the event loop. */
const SLICE_BYTES = 262_144

export interface ContentSlice {
  sha256: string
  /** The offsets of the first and last byte, both inclusive. */
  from: number
  to: number
}

/**
 * Reads stored content in slices. Each slice has its own transaction, so that a slow reader does not occupy a
 * database connection.
 */
export async function* readSlices(db: Database, workspaceId: string, slice: ContentSlice): AsyncGenerator<Buffer> {
  const { sha256, from, to } = slice
  for (let at = from; at <= to; at += SLICE_BYTES) {
    const last = Math.min(to, at + SLICE_BYTES - 1)
    const bytes = await db.inWorkspace(workspaceId, tx => findContentRange(tx, sha256, at, last))
    if (bytes?.byteLength !== last - at + 1) throw new AppError('INTERNAL', 'Stored content is incomplete')
    yield bytes
  }
}

/** Reads the entire content. Throws the signal's reason on abort. */
export async function readContent(
  db: Database,
  workspaceId: string,
  { sha256, size }: { sha256: string; size: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for await (const bytes of readSlices(db, workspaceId, { sha256, from: 0, to: size - 1 })) {
    signal.throwIfAborted()
    at += bytes.copy(whole, at)
  }
  return whole
}
