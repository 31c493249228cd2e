import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../data/database.ts'
import { RunFailed } from '../../domain/errors.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Temporal } from '../temporal.ts'
import { requireJob } from './find.ts'

/** How long a caller who wants the answer at once is kept waiting. */
const PATIENCE_MS = 25_000
const LOOK_EVERY_MS = 500

/**
 * The row of a job that was just accepted, once it has completed; undefined when that takes longer than a caller should
 * wait, or the job waits for a person. Throws RunFailed.
 */
export type WaitForResult = (
  principal: Principal,
  jobId: string,
  signal?: AbortSignal,
) => Promise<JobRecord | undefined>

export function createWaitForResult({ db, temporal }: { db: Database; temporal: Temporal }): WaitForResult {
  return async (principal, jobId, signal) => {
    const until = Date.now() + PATIENCE_MS
    let isOver = false
    // What it gives, and whether it failed, is in the row.
    const over = temporal
      .call(() => temporal.handle(jobId).result(), PATIENCE_MS)
      .catch(() => undefined)
      .then(() => (isOver = true))
    for (;;) {
      const row = await db.inWorkspace(principal.workspace_id, tx => requireJob(tx, principal, jobId))
      if (row.status === 'completed') return row
      if (row.status === 'failed') throw new RunFailed(row)
      if (row.status === 'waiting' || row.status === 'paused' || signal?.aborted || Date.now() >= until)
        return undefined
      await (isOver ? pause(LOOK_EVERY_MS) : Promise.race([over, pause(LOOK_EVERY_MS)]))
    }
  }
}
