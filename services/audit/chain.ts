import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import type { Seal, SealableEntry } from '../../data/audit/audit-seals-store.ts'

/** Returns the hash of the content of an entry. The id is part of the seal, so that an entry that was moved can be told. */
export const hashEntry = (entry: SealableEntry): string => hashCanonical(entry)

/** Returns the hash of a seal after the one before it. The first follows the id of its workspace. */
export const hashSeal = (previous: string, { seq, audit_id, at, row_hash }: Omit<Seal, 'hash'>): string =>
  hashCanonical([previous, seq, audit_id, at, row_hash])

/** Seals entries after the last seal. */
export function sealEntries(
  workspaceId: string,
  head: Pick<Seal, 'seq' | 'hash'> | undefined,
  entries: { id: number; entry: SealableEntry }[],
): Seal[] {
  let { seq, hash } = head ?? { seq: 0, hash: workspaceId }
  return entries.map(({ id, entry }) => {
    const link = { seq: (seq += 1), audit_id: id, at: entry.at, row_hash: hashEntry(entry) }
    hash = hashSeal(hash, link)
    return { ...link, hash }
  })
}
