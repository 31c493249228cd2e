import type { JobRef } from '../../domain/runs/jobs.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, type Row } from '../shared/table.ts'
import { jobMigrationsTable } from './tables.ts'

const MIGRATION = omit(jobMigrationsTable, 'workspace_id', 'job_id')
/** The move of a run to another version of its pathway. */
export type JobMigration = Row<typeof MIGRATION>

/** A job and the rights that it gets from a move. */
type MovedJob = Pick<JobRef, 'job_id' | 'rights'>
type NewMigration = Pick<JobMigration, 'id' | 'from_version' | 'to_version' | 'actor' | 'at'>

/**
 * Inserts a move, and updates the version and rights of the job. Returns false, without a change, when the move
 * already exists.
 */
export async function insertMigration(
  tx: Tx,
  { job_id: jobId, rights }: MovedJob,
  move: NewMigration,
): Promise<boolean> {
  const { id, from_version, to_version, actor, at } = move
  const rows = await execute(
    tx,
    `insert into job_migrations (job_id, id, from_version, to_version, actor, at)
     select job_id, $2, $3, $4, $5, $6 from jobs where job_id = $1
     on conflict do nothing`,
    [jobId, id, from_version, to_version, actor, at],
  )
  if (rows === 0) return false
  await setVersion(tx, { job_id: jobId, rights }, to_version)
  return true
}

/**
 * Marks a move as undone, and restores the version and rights of the job. Returns false when the move was already
 * undone.
 */
export async function markMigrationUndone(
  tx: Tx,
  { job_id: jobId, rights }: MovedJob,
  { id, actor, at }: Pick<JobMigration, 'id' | 'actor' | 'at'>,
): Promise<boolean> {
  const undone = await selectOne(
    tx,
    pick(jobMigrationsTable, 'from_version'),
    `update job_migrations set undone_by = $3, undone_at = $4
      where job_id = $1 and id = $2 and undone_at is null returning from_version`,
    [jobId, id, actor, at],
  )
  if (!undone) return false
  await setVersion(tx, { job_id: jobId, rights }, undone.from_version)
  return true
}

const setVersion = (tx: Tx, { job_id, rights }: MovedJob, version: number): Promise<number> =>
  execute(tx, 'update jobs set pathway_version = $2, rights = $3 where job_id = $1', [job_id, version, rights])

/** Deletes nodes that are recorded as skipped, because the run can reach them again after a move. */
export async function deleteSkipped(tx: Tx, jobId: string, keys: string[]): Promise<void> {
  await execute(tx, `delete from job_nodes where job_id = $1 and key = any($2) and status = 'skipped'`, [jobId, keys])
}

/** Deletes nodes that the run has moved back from, including nested nodes, because the run can reach them again. */
export async function deleteDropped(tx: Tx, jobId: string, keys: string[]): Promise<void> {
  await execute(
    tx,
    `delete from job_nodes where job_id = $1
        and (key = any($2) or exists (select from unnest($2::text[]) owner where starts_with(key, owner || '[')))`,
    [jobId, keys],
  )
}

const MAX_MIGRATIONS = 100

/** Lists the latest 100 moves of a job, oldest first. */
export async function listMigrations(tx: Tx, jobId: string): Promise<JobMigration[]> {
  return select(
    tx,
    MIGRATION,
    `select ${list(MIGRATION)} from (
       select ${list(MIGRATION)}
         from job_migrations where job_id = $1 order by at desc, id limit ${MAX_MIGRATIONS}
     ) last order by at, id`,
    [jobId],
  )
}
