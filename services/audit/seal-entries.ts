import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  findChainHead,
  listUnsealed,
  listUnsealedWorkspaces,
  lockChain,
  saveSeals,
} from '../../data/audit-seals-store.ts'
import type { Database } from '../../data/database.ts'
import { sealEntries } from './chain.ts'

/** Chains the entries of the audit logs after their transactions, so that no writer waits for another. */
export interface Sealing {
  /** Runs until the signal aborts. Several processes may run it: one at a time seals a workspace. */
  run(signal: AbortSignal): Promise<void>
  /** Seals all entries of a workspace that are committed. Returns their number; 0 while another process seals it. */
  sealWorkspace(workspaceId: string): Promise<number>
}

const BATCH = 500
const INTERVAL_MS = 2_000

export function createSealing({ db, log }: { db: Database; log: Logger }): Sealing {
  const sealBatch = (workspaceId: string) =>
    db.inWorkspace(workspaceId, async tx => {
      if (!(await lockChain(tx, workspaceId))) return 0
      const [head, entries] = await Promise.all([findChainHead(tx), listUnsealed(tx, BATCH)])
      if (entries.length > 0) await saveSeals(tx, sealEntries(workspaceId, head, entries))
      return entries.length
    })

  async function sealWorkspace(workspaceId: string): Promise<number> {
    let sealed = 0
    for (;;) {
      const batch = await sealBatch(workspaceId)
      sealed += batch
      if (batch < BATCH) return sealed
    }
  }

  /** Logs each failure once, and the recovery once. */
  let isFailing = false
  async function sealAll(signal: AbortSignal): Promise<void> {
    try {
      for (const workspaceId of await db.system(listUnsealedWorkspaces)) {
        if (signal.aborted) return
        await sealWorkspace(workspaceId)
      }
      if (isFailing) log.info('sealing the audit log recovered')
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'sealing the audit log failed; retrying')
      isFailing = true
    }
  }

  return {
    sealWorkspace,
    async run(signal) {
      while (!signal.aborted) {
        await sealAll(signal)
        await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
