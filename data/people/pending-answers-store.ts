import type { Tx } from '../shared/database.ts'
import { execute, select } from '../shared/statements.ts'
import { list, pick, type Row } from '../shared/table.ts'
import { pendingAnswersTable } from './tables.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'

const ANSWER = pick(pendingAnswersTable, 'intervention_id', 'update_id', 'job_id', 'actor', 'input')
/** An answer that was sent to a run and may still be counted. */
export type PendingAnswerRecord = Row<typeof ANSWER>

const LEASED = { ...ANSWER, ...pick(pendingAnswersTable, 'workspace_id') }
export type LeasedAnswer = Row<typeof LEASED>

/** SQL for the answers to an intervention that may still be counted, oldest first. Null if there are none. */
export const PENDING_ANSWERS = `(
  select json_agg(json_build_object('update_id', update_id, 'action', input ->> 'action', 'by', actor,
                                    'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by at)
    from pending_answers where intervention_id = interventions.id)`

/** Stores an answer. A worker delivers it again after `seconds`. */
export async function savePendingAnswer(
  tx: Tx,
  { intervention_id, update_id, job_id, actor, input }: PendingAnswerRecord,
  seconds: number,
): Promise<void> {
  await execute(
    tx,
    `insert into pending_answers (intervention_id, update_id, job_id, actor, input, due_at)
     select $1, $2, job_id, $4, $5::json, now() + make_interval(secs => $6) from jobs where job_id = $3
     on conflict (workspace_id, intervention_id, update_id) do update set due_at = excluded.due_at`,
    [intervention_id, update_id, job_id, actor, toStorableJson(input), seconds],
  )
}

/** Returns false if the answer was deleted before. */
export async function deletePendingAnswer(
  tx: Tx,
  { intervention_id, update_id }: Pick<PendingAnswerRecord, 'intervention_id' | 'update_id'>,
): Promise<boolean> {
  const key = [intervention_id, update_id]
  return (await execute(tx, 'delete from pending_answers where intervention_id = $1 and update_id = $2', key)) > 0
}

/** Leases due answers in all workspaces. When its lease expires, an answer becomes due again. */
export async function leasePendingAnswers(
  tx: Tx,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<LeasedAnswer[]> {
  const [, rows] = await Promise.all([
    execute(tx, `select set_config('app.answering', 'on', true)`),
    select(
      tx,
      LEASED,
      `update pending_answers set due_at = now() + make_interval(secs => $2)
        where (workspace_id, intervention_id, update_id) in (
          select workspace_id, intervention_id, update_id from pending_answers where due_at <= now()
           order by due_at limit $1 for update skip locked)
       returning ${list(LEASED)}`,
      [limit, leaseSeconds],
    ),
  ])
  return rows
}
