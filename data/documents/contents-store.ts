import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { bytes, computed, integer, list, nullable, pick, text } from '../shared/table.ts'
import { contentsTable } from './tables.ts'

/**
 * Stores bytes under their hash. Does not send bytes that are already in the database. Until the transaction ends, no
 * purge removes the content, so the caller can safely refer to it.
 */
export async function saveContent(tx: Tx, content: { sha256: string; bytes: Uint8Array }): Promise<void> {
  const { sha256, bytes } = content
  const rows = await execute(tx, 'select from contents where sha256 = $1 for key share', [sha256])
  if (rows > 0) return
  const size = bytes.byteLength
  const row = { sha256, size, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, size) }
  await insert(tx, contentsTable, row, 'on conflict (workspace_id, sha256) do nothing')
}

/** Returns the content, or undefined when the workspace has no content with this hash. */
export async function findContent(tx: Tx, sha256: string): Promise<Buffer | undefined> {
  const columns = pick(contentsTable, 'bytes')
  const row = await selectOne(tx, columns, 'select bytes from contents where sha256 = $1', [sha256])
  return row?.bytes
}

/** Returns the bytes from `from` to `to`, both inclusive. Reads only this range from the table. */
export async function findContentRange(tx: Tx, sha256: string, from: number, to: number): Promise<Buffer | undefined> {
  return (await findContentPart(tx, sha256, { offset: from, max_bytes: to - from + 1 }))?.bytes
}

const PART = {
  bytes: computed(bytes(), 'substring(bytes from $2::integer for $3::integer)'),
  size: computed(integer(), 'size::integer'),
}

/** Returns a limited number of bytes from an offset, and the total size of the content. */
export async function findContentPart(
  tx: Tx,
  sha256: string,
  { offset, max_bytes }: { offset: number; max_bytes: number },
): Promise<{ bytes: Buffer; size: number } | undefined> {
  return selectOne(tx, PART, `select ${list(PART)} from contents where sha256 = $1`, [sha256, offset + 1, max_bytes])
}

/** SQL condition: nothing in the workspace refers to the content. */
const IS_UNUSED = `not exists (select from resource_versions where content_sha256 = contents.sha256)
        and not exists (select from files where sha256 = contents.sha256)
        and not exists (select from meeting_audio where sha256 = contents.sha256)
        and not exists (select from jobs where audio_sha256 = contents.sha256)
        and not exists (select from extractions where text_sha256 = contents.sha256 and sha256 <> contents.sha256)`

/** Returns those of the given content hashes that nothing refers to. */
export async function findUnusedContents(tx: Tx, hashes: string[]): Promise<string[]> {
  const unused = await select(
    tx,
    pick(contentsTable, 'sha256'),
    `select sha256 from contents where sha256 = any($1::text[]) and ${IS_UNUSED}`,
    [hashes],
  )
  return unused.map(({ sha256 }) => sha256)
}

/**
 * Deletes those of the given contents that nothing refers to, and then their extracted texts. Returns the number of
 * deleted contents.
 */
export async function deleteUnusedContents(tx: Tx, hashes: string[]): Promise<number> {
  if (hashes.length === 0) return 0
  // A transaction locks a content before it adds a reference. The next statement therefore sees all references.
  await execute(tx, 'select from contents where sha256 = any($1::text[]) order by sha256 for update', [hashes])
  const removable = await findUnusedContents(tx, hashes)
  const texts = await select(
    tx,
    { sha256: nullable(text()) },
    `with deleted as (delete from extractions where sha256 = any($1::text[]) returning text_sha256)
     select distinct text_sha256 as sha256 from deleted`,
    [removable],
  )
  await execute(tx, 'delete from contents where sha256 = any($1::text[])', [removable])
  return (
    removable.length +
    (await deleteUnusedContents(
      tx,
      texts.flatMap(({ sha256 }) => sha256 ?? []),
    ))
  )
}
