import type { Tx } from './database.ts'

/** One large payload of a run, addressed by its content. */
export interface RunPayload {
  sha256: string
  bytes: Buffer
}

/** Keeps payloads of a run; what is there already stays. For `system` transactions: payloads have no workspace. */
export async function savePayloads(tx: Tx, jobId: string, payloads: RunPayload[]): Promise<void> {
  await tx.query(
    `insert into run_payloads (job_id, sha256, bytes)
     select $1, * from unnest($2::text[], $3::bytea[])
     on conflict (job_id, sha256) do nothing`,
    [jobId, payloads.map(payload => payload.sha256), payloads.map(payload => payload.bytes)],
  )
}

/** The bytes by hash; hashes that are not there are left out. */
export async function readPayloads(tx: Tx, jobId: string, hashes: string[]): Promise<Map<string, Buffer>> {
  const found = await tx.query<RunPayload[]>(
    'select sha256, bytes from run_payloads where job_id = $1 and sha256 = any($2)',
    [jobId, hashes],
  )
  return new Map(found.map(payload => [payload.sha256, payload.bytes]))
}
