import { readFileSync } from 'node:fs'
import type { Job } from '@ganglion/client'
import { follow, type DemoContext } from './follow.ts'
import { INVOICE_FILE, ensurePathway } from './pathway.ts'

/**
 * Runs the sample pathway with the sample invoice, shows the progress live, and lets the person decide. Returns the
 * latest state of the job: ended, or still waiting if the person left without deciding.
 */
export async function runSample({ payUrl, ...attended }: DemoContext & { payUrl: string }): Promise<Job> {
  const { ganglion } = attended
  const pathway = await ensurePathway(ganglion)
  const text = readFileSync(INVOICE_FILE, 'utf8')
  const run = await ganglion.pathways.run(pathway.id, { input: { text, pay_url: payUrl } })
  process.stdout.write(`\nPathway ${pathway.slug}, version ${pathway.version}: job ${run.jobId}\n\n`)
  return follow(attended, run)
}
