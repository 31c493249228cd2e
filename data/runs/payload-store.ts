import type { Tx } from '../shared/database.ts'
import { execute, select } from '../shared/statements.ts'
import { list, pick, type Row } from '../shared/table.ts'
import { runPayloadsTable } from './tables.ts'

/** The hash value that marks a run as purged. */
const PURGED = 'purged'

const PAYLOAD = pick(runPayloadsTable, 'sha256', 'bytes')
/** A large payload of a run, addressed by its hash. */
export type RunPayload = Row<typeof PAYLOAD>

/**
 * Saves payloads of a run, unless the run was purged. Existing payloads are kept. Requires a `system` transaction,
 * because payloads belong to no workspace.
 */
export async function savePayloads(tx: Tx, jobId: string, payloads: RunPayload[]): Promise<void> {
  await execute(
    tx,
    `insert into run_payloads (job_id, sha256, bytes)
     select $1, * from unnest($2::text[], $3::bytea[])
      where not exists (select from run_payloads where job_id = $1 and sha256 = $4)
     on conflict (job_id, sha256) do nothing`,
    [jobId, payloads.map(payload => payload.sha256), payloads.map(payload => payload.bytes), PURGED],
  )
}

/**
 * Replaces the payloads of purged runs with a mark. Writers need the mark, because a transaction without a workspace
 * cannot read the jobs table.
 */
export async function markPayloadsPurged(tx: Tx, jobIds: string[]): Promise<void> {
  await execute(tx, `insert into run_payloads (job_id, sha256, bytes) select id, $2, '' from unnest($1::text[]) id`, [
    jobIds,
    PURGED,
  ])
}

/** Returns payloads by hash. Omits hashes without a payload. */
export async function readPayloads(tx: Tx, jobId: string, hashes: string[]): Promise<Map<string, Buffer>> {
  const payloads = await select(
    tx,
    PAYLOAD,
    `select ${list(PAYLOAD)} from run_payloads where job_id = $1 and sha256 = any($2)`,
    [jobId, hashes],
  )
  return new Map(payloads.map(payload => [payload.sha256, payload.bytes]))
}
