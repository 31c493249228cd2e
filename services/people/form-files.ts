import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import { findJob } from '../../data/runs/jobs-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { FileValue } from '../../domain/documents/file-fields.ts'
import { attachFileValues, getFileOwner } from '../documents/files.ts'

/**
 * Makes the files of an answer part of the task's thread or, without a thread, of its run. Throws ValidationError for
 * a file that the principal may not use, or that does not fit its field.
 */
export async function attachFormFiles(
  tx: Tx,
  principal: Principal,
  { root_job_id }: InterventionRecord,
  values: FileValue[],
): Promise<void> {
  const root = await findJob(tx, root_job_id)
  const owner = getFileOwner(root ?? { job_id: root_job_id, trace_id: null })
  await attachFileValues(tx, principal, owner, values)
}
