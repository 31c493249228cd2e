import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { absencesTable } from './tables.ts'

const ABSENCE = omit(absencesTable, 'workspace_id')
/** A person who is away, and who answers meanwhile. */
export type AbsenceRecord = Row<typeof ABSENCE>

/** Lists those who are away now and for whom this person answers. */
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

/** Absences that a list has at most. */
const MAX_ABSENCES = 1_000

/** Lists the absences that have not ended, by their beginning, at most 1,000. */
export async function listAbsences(tx: Tx): Promise<AbsenceRecord[]> {
  return select(
    tx,
    ABSENCE,
    `select ${list(ABSENCE)} from absences where ends_at is null or ends_at > now()
      order by starts_at, actor limit ${MAX_ABSENCES}`,
  )
}

/** Lists the absences that have not ended of a person, and those in which they are the substitute. */
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

/** Sets the absence of a person. It has one at most. */
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
