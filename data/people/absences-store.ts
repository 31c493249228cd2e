import type { Tx } from '../shared/database.ts'

/** A person who is away, and who answers meanwhile. Times are ISO 8601. */
export interface AbsenceRecord {
  actor: string
  substitute: string
  starts_at: string
  /** Null until the end is known. */
  ends_at: string | null
  updated_by: string
  updated_at: string
}

const COLUMNS = 'actor, substitute, starts_at, ends_at, updated_by, updated_at'

/** Lists those who are away now and for whom this person answers. */
export async function listAbsent(tx: Tx, substitute: string): Promise<string[]> {
  const absent = await tx.query<{ actor: string }[]>(
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
  return tx.query<AbsenceRecord[]>(
    `select ${COLUMNS} from absences where ends_at is null or ends_at > now()
      order by starts_at, actor limit ${MAX_ABSENCES}`,
  )
}

/** Lists the absences that have not ended of a person, and those in which they are the substitute. */
export async function listAbsencesOf(tx: Tx, actor: string): Promise<AbsenceRecord[]> {
  return tx.query<AbsenceRecord[]>(
    `select ${COLUMNS} from absences where $1 in (actor, substitute) and (ends_at is null or ends_at > now())
      order by starts_at, actor limit ${MAX_ABSENCES}`,
    [actor],
  )
}

export async function findAbsence(tx: Tx, actor: string): Promise<AbsenceRecord | undefined> {
  const [found] = await tx.query<AbsenceRecord[]>(`select ${COLUMNS} from absences where actor = $1`, [actor])
  return found
}

/** Sets the absence of a person. It has one at most. */
export async function saveAbsence(tx: Tx, absence: Omit<AbsenceRecord, 'updated_at'>): Promise<AbsenceRecord> {
  const { actor, substitute, starts_at, ends_at, updated_by } = absence
  const [saved] = await tx.query<[AbsenceRecord]>(
    `insert into absences (actor, substitute, starts_at, ends_at, updated_by) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, actor) do update
       set (substitute, starts_at, ends_at, updated_by, updated_at)
         = (excluded.substitute, excluded.starts_at, excluded.ends_at, excluded.updated_by, now())
     returning ${COLUMNS}`,
    [actor, substitute, starts_at, ends_at, updated_by],
  )
  return saved
}

export async function deleteAbsence(tx: Tx, actor: string): Promise<void> {
  await tx.query('delete from absences where actor = $1', [actor])
}
