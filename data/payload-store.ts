import type { Tx } from './database.ts'

/** One large payload of a run, addressed by its hash. */
export interface RunPayload {
  sha256: string
  bytes: Buffer
}

/** Saves payloads of a run; existing ones stay. It takes a `system` transaction, because payloads have no workspace. */
export async function savePayloads(tx: Tx, jobId: string, payloads: RunPayload[]): Promise<void> {
  await tx.query(
    `insert into run_payloads (job_id, sha256, bytes)
     select $1, * from unnest($2::text[], $3::bytea[])
     on conflict (job_id, sha256) do nothing`,
    [jobId, payloads.map(payload => payload.sha256), payloads.map(payload => payload.bytes)],
  )
}

/** Returns payloads by hash. Missing hashes are left out. */
export async function readPayloads(tx: Tx, jobId: string, hashes: string[]): Promise<Map<string, Buffer>> {
  const found = await tx.query<RunPayload[]>(
    'select sha256, bytes from run_payloads where job_id = $1 and sha256 = any($2)',
    [jobId, hashes],
  )
  return new Map(found.map(payload => [payload.sha256, payload.bytes]))
}
