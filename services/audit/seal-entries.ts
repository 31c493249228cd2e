import type { Logger } from 'pino'
import {
  findChainHead,
  listUnsealed,
  listUnsealedWorkspaces,
  lockChain,
  saveSeals,
} from '../../data/audit/audit-seals-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { createLoop, type Loop } from '../shared/loop.ts'
import { sealEntries } from './chain.ts'

/**
 * Chains the entries of the audit logs after their transactions, so that no writer waits for another. Several processes may
 * run it: one at a time seals a workspace.
 */
export interface Sealing extends Pick<Loop, 'run'> {
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

  const loop = createLoop({
    name: 'sealing the audit log',
    idleMs: INTERVAL_MS,
    log,
    async round(signal) {
      for (const workspaceId of await db.system(listUnsealedWorkspaces)) {
        if (signal.aborted) break
        await sealWorkspace(workspaceId)
      }
    },
  })
  return { run: loop.run, sealWorkspace }
}
