import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { absencesTable } from './tables.ts'

const ABSENCE = omit(absencesTable, 'workspace_id')
/** An absence: the absent person, the substitute and the period. */
export type AbsenceRecord = Row<typeof ABSENCE>

/** Lists the absent people whom this person currently substitutes. */
export async function listAbsent(tx: Tx, substitute: string): Promise<string[]> {
  const absent = await select(
    tx,
    pick(absencesTable, 'actor'),
    `select actor from absences
      where substitute = $1 and starts_at <= now() and (ends_at is null or ends_at > now()) order by actor`,
    [substitute],
  )
  return absent.map(({ actor }) => actor)
}

/** Maximum number of absences in a list. */
const MAX_ABSENCES = 1_000

/** Lists current and future absences by start time, at most 1,000. */
export async function listAbsences(tx: Tx): Promise<AbsenceRecord[]> {
  return select(
    tx,
    ABSENCE,
    `select ${list(ABSENCE)} from absences where ends_at is null or ends_at > now()
      order by starts_at, actor limit ${MAX_ABSENCES}`,
  )
}

/** Lists a person's current and future absences, and the absences for which the person is the substitute. */
export async function listAbsencesOf(tx: Tx, actor: string): Promise<AbsenceRecord[]> {
  return select(
    tx,
    ABSENCE,
    `select ${list(ABSENCE)} from absences where $1 in (actor, substitute) and (ends_at is null or ends_at > now())
      order by starts_at, actor limit ${MAX_ABSENCES}`,
    [actor],
  )
}

export async function findAbsence(tx: Tx, actor: string): Promise<AbsenceRecord | undefined> {
  return selectOne(tx, ABSENCE, `select ${list(ABSENCE)} from absences where actor = $1`, [actor])
}

/** Saves a person's absence. Each person has at most one. */
export async function saveAbsence(tx: Tx, absence: Omit<AbsenceRecord, 'updated_at'>): Promise<AbsenceRecord> {
  const { actor, substitute, starts_at, ends_at, updated_by } = absence
  const record = await insertReturning(
    tx,
    absencesTable,
    { actor, substitute, starts_at, ends_at, updated_by },
    ABSENCE,
    `on conflict (workspace_id, actor) do update
       set (substitute, starts_at, ends_at, updated_by, updated_at)
         = (excluded.substitute, excluded.starts_at, excluded.ends_at, excluded.updated_by, now())`,
  )
  return requireRow(record)
}

export async function deleteAbsence(tx: Tx, actor: string): Promise<void> {
  await execute(tx, 'delete from absences where actor = $1', [actor])
}
