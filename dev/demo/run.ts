import { readFileSync } from 'node:fs'
import type { Job } from '@ganglion/client'
import { follow, type DemoContext } from './follow.ts'
import { INVOICE_FILE, ensurePathway } from './pathway.ts'

/**
 * Runs the sample pathway over the sample invoice, follows it live, and lets a person decide. Gives the job as it
 * then is: finished, or still waiting when the person left without deciding.
 */
export async function runSample({ payUrl, ...attended }: DemoContext & { payUrl: string }): Promise<Job> {
  const { ganglion } = attended
  const pathway = await ensurePathway(ganglion)
  const text = readFileSync(INVOICE_FILE, 'utf8')
  const run = await ganglion.pathways.run(pathway.id, { input: { text, pay_url: payUrl } })
  process.stdout.write(`\nPathway ${pathway.slug}, version ${pathway.version}: job ${run.jobId}\n\n`)
  return follow(attended, run)
}
