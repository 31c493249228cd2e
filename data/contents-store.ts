import type { Tx } from './database.ts'

/** Stores bytes under their hash. Existing content is not written again. */
export async function saveContent(tx: Tx, content: { sha256: string; bytes: Uint8Array }): Promise<void> {
  const { sha256, bytes } = content
  await tx.query(
    `insert into contents (sha256, size, bytes)
     select $1, $2, $3 where not exists (select from contents where sha256 = $1)
     on conflict (workspace_id, sha256) do nothing`,
    [sha256, bytes.byteLength, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  )
}

/** Returns true when the workspace has the content. */
export async function hasContent(tx: Tx, sha256: string): Promise<boolean> {
  const found = await tx.query<unknown[]>('select from contents where sha256 = $1', [sha256])
  return found.length > 0
}

/** Returns undefined when the workspace has no such content. */
export async function findContent(tx: Tx, sha256: string): Promise<Buffer | undefined> {
  const [found] = await tx.query<{ bytes: Buffer }[]>('select bytes from contents where sha256 = $1', [sha256])
  return found?.bytes
}

/** Returns the bytes `from` to `to`, both included, and reads only these. */
export async function findContentRange(tx: Tx, sha256: string, from: number, to: number): Promise<Buffer | undefined> {
  const [found] = await tx.query<{ bytes: Buffer }[]>(
    'select substring(bytes from $2::integer for $3::integer) as bytes from contents where sha256 = $1',
    [sha256, from + 1, to - from + 1],
  )
  return found?.bytes
}
