import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import { findJob } from '../../data/runs/jobs-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { attachFileValues, type FormValue, getFileOwner } from '../documents/files.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'

/**
 * Makes the files of an answer part of the task's thread or, without a thread, of its run. Throws ValidationError for
 * a file that the principal may not use, or that does not fit its field.
 */
export async function attachFormFiles(
  evaluator: Evaluator,
  tx: Tx,
  principal: Principal,
  { root_job_id }: InterventionRecord,
  answer: FormValue,
): Promise<void> {
  const root = await findJob(tx, root_job_id)
  const owner = getFileOwner(root ?? { job_id: root_job_id, trace_id: null })
  await attachFileValues(evaluator, tx, principal, owner, answer)
}
