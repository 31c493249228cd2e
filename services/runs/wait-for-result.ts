import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../data/shared/database.ts'
import { RunFailed } from '../../domain/shared/errors.ts'
import type { JobRecord } from '../../data/runs/jobs-store.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Temporal } from '../shared/temporal.ts'
import { getJob } from './find.ts'

const MAX_WAIT_MS = 25_000
const POLL_MS = 500

/** Resolves with a job's row once the job completes, takes too long or waits for a person. Throws RunFailed. */
export type WaitForResult = (principal: Principal, jobId: string, signal?: AbortSignal) => Promise<JobRecord>

export function createWaitForResult({ db, temporal }: { db: Database; temporal: Temporal }): WaitForResult {
  return async (principal, jobId, signal) => {
    const until = Date.now() + MAX_WAIT_MS
    let isOver = false
    // The row contains the result or the failure.
    const over = temporal
      .call(() => temporal.handle(jobId).result(), MAX_WAIT_MS)
      .catch(() => undefined)
      .then(() => (isOver = true))
    for (;;) {
      const row = await db.inWorkspaceAtOnce(principal.workspace_id, tx => getJob(tx, principal, jobId))
      if (row.status === 'completed') return row
      if (row.status === 'failed') throw new RunFailed(row)
      if (row.status === 'waiting' || row.status === 'paused' || signal?.aborted || Date.now() >= until) return row
      await (isOver ? pause(POLL_MS) : Promise.race([over, pause(POLL_MS)]))
    }
  }
}
