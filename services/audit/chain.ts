import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import type { Seal, SealableEntry } from '../../data/audit/audit-seals-store.ts'

/**
 * Returns the hash of an entry's content. The seal also includes the entry's id, so that moved entries are detected.
 */
export const hashEntry = (entry: SealableEntry): string => hashCanonical(entry)

/** Returns a seal's hash, chained to the previous hash. The first seal is chained to the workspace id. */
export const hashSeal = (previous: string, { seq, audit_id, at, row_hash }: Omit<Seal, 'hash'>): string =>
  hashCanonical([previous, seq, audit_id, at, row_hash])

/** Seals entries, continuing from the last seal. */
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
