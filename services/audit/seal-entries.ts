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
 * Chains audit log entries after their transactions commit, so that writers never wait for each other. Several
 * processes may run this loop, but only one process seals a workspace at a time.
 */
export interface Sealing extends Pick<Loop, 'run'> {
  /**
   * Seals all committed entries of a workspace. Returns the number of sealed entries, or 0 while another process
   * seals the workspace.
   */
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
