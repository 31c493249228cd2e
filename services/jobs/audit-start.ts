import { type AuditAuthor, writeAudit } from '../../data/audit-store.ts'
import type { Tx } from '../../data/database.ts'
import type { NewJob } from '../../data/jobs-store.ts'

/** Writes the audit entry of a new job. Its hash is that of the row, which has the input. */
export async function writeJobStart(tx: Tx, author: AuditAuthor, row: NewJob): Promise<void> {
  const { job_id, brain_id, kind = 'pathway', parent_job_id, trace_id, turn } = row
  const details = { kind, ...(parent_job_id && { parent_job_id }), ...(trace_id && { trace_id, turn: turn ?? null }) }
  await writeAudit(tx, author, { action: 'job.start', target: job_id, brain_id, after: row, details })
}
