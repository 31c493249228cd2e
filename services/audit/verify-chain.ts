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

/** The first entry that is not as it was sealed. */
export interface ChainProblem {
  /**
   * `changed`: the entry says something else. `missing`: it is gone. `moved`: its content is at another place. `added`: it
   * was written beside the log. `resealed`: its seal was changed, removed or put elsewhere.
   */
  kind: 'changed' | 'missing' | 'moved' | 'added' | 'resealed'
  /** Absent for a seal that is gone. */
  audit_id?: number
  seq?: number
  message: string
}

export interface ChainReport {
  /** Entries that were compared with their seals. */
  verified: number
  /** Entries that retention has removed after a year. Their seals are in the chain. */
  expired: number
  /** Entries that are written and not sealed yet. */
  waiting: number
  /** The last seal. Kept elsewhere, it proves later that the chain was not cut or written again. */
  head?: Pick<Seal, 'seq' | 'hash'>
  problem?: ChainProblem
}

const BATCH = 500
/** Entries without a seal that are compared with one that is missing. */
const MAX_STRAY = 1_000

/**
 * Compares the audit log of a workspace with its seals, in the order of sealing, up to the first entry that does not fit.
 * @param keptSeal a seal that an earlier verification reported
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
      problem: { kind: 'resealed', seq: keptSeal?.seq, message: 'the chain does not have the given head' },
    }
  return finish(db, workspaceId, report)
}

/** What has no seal must wait for one. */
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
      problem: { kind: 'missing', audit_id: missingId, message: `entry ${missingId} is gone, and was not sealed yet` },
    }
  if (stray)
    return {
      ...report,
      problem: { kind: 'added', audit_id: stray.id, message: `entry ${stray.id} was written beside the log` },
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
    return { kind: 'resealed', seq: previous.seq + 1, message: `seal ${previous.seq + 1} is gone` }
  if (hashSeal(previous.hash, sealed) !== hash)
    return {
      kind: 'resealed',
      audit_id,
      seq,
      message: `seal ${seq}, of entry ${audit_id}, does not follow the one before`,
    }
  if (!entry) return findMissing(tx, sealed)
  const other = await findSealOfContent(tx, hashEntry(entry))
  return other
    ? { kind: 'moved', audit_id, seq, message: `entry ${audit_id} has the content of entry ${other.audit_id}` }
    : { kind: 'changed', audit_id, seq, message: `entry ${audit_id} was changed after it was sealed` }
}

/** An entry under another id was moved. */
async function findMissing(tx: Tx, { audit_id, seq, row_hash }: SealedEntry): Promise<ChainProblem> {
  const others = [...(await listStrayEntries(tx, MAX_STRAY)), ...(await listUnsealed(tx, MAX_STRAY))]
  const movedEntry = others.find(({ entry }) => hashEntry(entry) === row_hash)
  return movedEntry
    ? { kind: 'moved', audit_id, seq, message: `entry ${audit_id} is entry ${movedEntry.id} now` }
    : { kind: 'missing', audit_id, seq, message: `entry ${audit_id} is gone` }
}
