import {
  countWaiting,
  findSealOfContent,
  listSealed,
  listStrayEntries,
  listUnsealed,
  type Seal,
  type SealedEntry,
} from '../../data/audit/audit-seals-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { hashEntry, hashSeal } from './chain.ts'

/** The first entry that does not match its seal. */
export interface ChainProblem {
  /**
   * `changed`: the entry's content differs. `missing`: the entry no longer exists. `moved`: another entry has its
   * content. `added`: the entry was written outside the log. `resealed`: the entry's seal was changed, removed or
   * moved.
   */
  kind: 'changed' | 'missing' | 'moved' | 'added' | 'resealed'
  /** Absent for a missing seal. */
  audit_id?: number
  seq?: number
  message: string
}

export interface ChainReport {
  /** Number of entries that match their seals. */
  verified: number
  /** Number of entries that retention has removed after a year. The entries' seals stay in the chain. */
  expired: number
  /** Number of entries that are not sealed yet. */
  waiting: number
  /** The last seal. Store it elsewhere to prove later that the chain was not truncated or rewritten. */
  head?: Pick<Seal, 'seq' | 'hash'>
  problem?: ChainProblem
}

const BATCH = 500
/** Maximum number of unsealed entries to compare with a missing entry. */
const MAX_STRAY = 1_000

/**
 * Compares a workspace's audit log with its seals, in sealing order, up to the first mismatch.
 * @param keptSeal a seal reported by an earlier verification
 */
export async function verifyChain(
  db: Database,
  workspaceId: string,
  keptSeal?: Pick<Seal, 'seq' | 'hash'>,
): Promise<ChainReport> {
  const report: ChainReport = { verified: 0, expired: 0, waiting: 0 }
  let previous = { seq: 0, hash: workspaceId }
  let foundKept = keptSeal === undefined
  for (;;) {
    const { seq: after } = previous
    const batch = await db.inWorkspace(workspaceId, tx => listSealed(tx, after, BATCH))
    for (const sealed of batch) {
      if (!isIntact(previous, sealed))
        return { ...report, problem: await db.inWorkspace(workspaceId, tx => findProblem(tx, previous, sealed)) }
      if (sealed.entry) report.verified++
      else report.expired++
      previous = { seq: sealed.seq, hash: sealed.hash }
      report.head = previous
      if (keptSeal?.seq === sealed.seq) foundKept = keptSeal.hash === sealed.hash
    }
    if (batch.length < BATCH) break
  }
  if (!foundKept)
    return {
      ...report,
      problem: { kind: 'resealed', seq: keptSeal?.seq, message: 'the chain does not contain the given head' },
    }
  return finish(db, workspaceId, report)
}

/** Checks that every entry without a seal is queued for sealing. */
async function finish(db: Database, workspaceId: string, report: ChainReport): Promise<ChainReport> {
  const {
    waiting,
    gone: missingId,
    stray,
  } = await db.inWorkspace(workspaceId, async tx => {
    const [counted, [first]] = await Promise.all([countWaiting(tx), listStrayEntries(tx, 1)])
    return { ...counted, stray: first }
  })
  if (missingId !== null)
    return {
      ...report,
      problem: {
        kind: 'missing',
        audit_id: missingId,
        message: `entry ${missingId} is missing and had not been sealed yet`,
      },
    }
  if (stray)
    return {
      ...report,
      problem: { kind: 'added', audit_id: stray.id, message: `entry ${stray.id} was written outside the log` },
    }
  return { ...report, waiting }
}

type Link = Pick<Seal, 'seq' | 'hash'>

const isIntact = ({ seq, hash }: Link, sealed: SealedEntry): boolean =>
  sealed.seq === seq + 1 &&
  hashSeal(hash, sealed) === sealed.hash &&
  (sealed.entry ? hashEntry(sealed.entry) === sealed.row_hash : sealed.is_expired)

async function findProblem(tx: Tx, previous: Link, sealed: SealedEntry): Promise<ChainProblem> {
  const { seq, audit_id, hash, entry } = sealed
  if (seq !== previous.seq + 1)
    return { kind: 'resealed', seq: previous.seq + 1, message: `seal ${previous.seq + 1} is missing` }
  if (hashSeal(previous.hash, sealed) !== hash)
    return {
      kind: 'resealed',
      audit_id,
      seq,
      message: `seal ${seq} for entry ${audit_id} does not match the previous seal`,
    }
  if (!entry) return findMissing(tx, sealed)
  const other = await findSealOfContent(tx, hashEntry(entry))
  return other
    ? { kind: 'moved', audit_id, seq, message: `entry ${audit_id} has the content of entry ${other.audit_id}` }
    : { kind: 'changed', audit_id, seq, message: `entry ${audit_id} was changed after it was sealed` }
}

/** If the content exists under another id, the entry was moved. */
async function findMissing(tx: Tx, { audit_id, seq, row_hash }: SealedEntry): Promise<ChainProblem> {
  const others = [...(await listStrayEntries(tx, MAX_STRAY)), ...(await listUnsealed(tx, MAX_STRAY))]
  const movedEntry = others.find(({ entry }) => hashEntry(entry) === row_hash)
  return movedEntry
    ? { kind: 'moved', audit_id, seq, message: `entry ${audit_id} was moved to entry ${movedEntry.id}` }
    : { kind: 'missing', audit_id, seq, message: `entry ${audit_id} is missing` }
}
