import type { HandlingEvent } from '../../domain/people/intervention.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { computed, list, pick, type Row } from '../shared/table.ts'
import { interventionChangesTable } from './tables.ts'

/** A change to the people who handle an intervention, as reported by the run. */
interface NewHandlingChange extends Omit<HandlingEvent, 'id' | 'handling'> {
  intervention_id: string
  revision: number
}

/** A reminder about an intervention. It has no revision, because it doesn't change who may answer. */
interface NewReminder {
  change: 'reminded'
  intervention_id: string
  at: string
}

export type NewHistoryEntry = NewHandlingChange | NewReminder

/**
 * Inserts changes and reminders, and writes an audit entry for each new one that has an author. Call this function
 * after patching the same interventions.
 */
export async function saveHistory(tx: Tx, jobId: string, changes: NewHistoryEntry[]): Promise<void> {
  if (changes.length === 0) return
  await execute(
    tx,
    `with sent as (
       select * from json_to_recordset($2::json) as change
              (intervention_id text, revision integer, change text, by text, person text, via json, assignees text[],
               comment text, at timestamptz)
     ), added as (
       insert into intervention_changes (intervention_id, revision, change, actor, person, assignees, comment, at)
       select change.intervention_id, change.revision, change.change, change.by, change.person, change.assignees,
              change.comment, change.at
         from sent change
         join interventions on interventions.id = change.intervention_id and interventions.job_id = $1
        order by change.intervention_id, change.revision
       on conflict do nothing
       returning intervention_id, revision
     )
     insert into audit_log (actor, person, key_id, action, target, brain_id, request_id, before_hash, details)
     select sent.by, coalesce(sent.person, sent.by), sent.via ->> 'key_id',
            case sent.change when 'claimed' then 'intervention.claim' when 'released' then 'intervention.release'
                             when 'reassigned' then 'intervention.reassign' else 'intervention.delegate' end,
            sent.intervention_id, jobs.brain_id,
            coalesce(sent.via ->> 'request_id', nullif(current_setting('app.request_id', true), '')),
            interventions.shown_hash,
            jsonb_build_object('job_id', interventions.job_id, 'node_id', interventions.node_id,
                               'revision', sent.revision, 'assignees', sent.assignees)
       from added
       join sent using (intervention_id, revision)
       join interventions on interventions.id = sent.intervention_id
       join jobs on jobs.job_id = interventions.job_id
      where sent.by is not null`,
    [jobId, toStorableJson(changes)],
  )
}

const CHANGE = {
  ...pick(interventionChangesTable, 'change', 'assignees', 'comment', 'at'),
  by: computed(interventionChangesTable.columns.actor, 'actor'),
}
/** A history entry of an intervention: a handling change, a comment or a reminder. */
export type InterventionChangeRecord = Row<typeof CHANGE>

/**
 * Inserts a comment on an open intervention. Returns undefined, without inserting the comment, when the intervention
 * is not open.
 */
export async function insertComment(
  tx: Tx,
  interventionId: string,
  { actor, person, comment }: { actor: string; person: string; comment: string },
): Promise<InterventionChangeRecord | undefined> {
  return selectOne(
    tx,
    CHANGE,
    `insert into intervention_changes (intervention_id, change, actor, person, comment, at)
     select id, 'commented', $2, $3, $4, date_trunc('milliseconds', now()) from interventions where id = $1 and status = 'open'
     returning ${list(CHANGE)}`,
    [interventionId, actor, person, toStorableText(comment)],
  )
}

/** Maximum number of changes returned by one read. */
const MAX_CHANGES = 200

/** Lists the latest changes, comments and reminders of an intervention, oldest first, at most 200. */
export async function listInterventionChanges(tx: Tx, interventionId: string): Promise<InterventionChangeRecord[]> {
  const latest = await select(
    tx,
    CHANGE,
    `select ${list(CHANGE)} from intervention_changes where intervention_id = $1
      order by at desc, revision desc limit ${MAX_CHANGES}`,
    [interventionId],
  )
  return latest.toReversed()
}
