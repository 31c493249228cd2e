import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JobView } from '../../services/jobs/types.ts'
import { follow, type Attended } from './follow.ts'
import { INVOICE_FILE, ensurePathway } from './pathway.ts'

/**
 * Runs the sample pathway over the sample invoice, follows it live, and lets a person decide. Gives the job as it
 * then is: finished, or still waiting when the person left without deciding.
 */
export async function runSample({ payUrl, ...attended }: Attended & { payUrl: string }): Promise<JobView> {
  const { api } = attended
  const pathway = await ensurePathway(api)
  const text = readFileSync(INVOICE_FILE, 'utf8')
  const path = `/v1/pathways/${pathway.id}/execute`
  const { job_id } = await api.call<{ job_id: string }>(
    'POST',
    path,
    { input: { text, pay_url: payUrl } },
    { 'idempotency-key': randomUUID() },
  )
  process.stdout.write(`\nPathway ${pathway.slug}, version ${pathway.version}: job ${job_id}\n\n`)
  return follow(attended, job_id)
}
