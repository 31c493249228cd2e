import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JobView } from '../../services/jobs/types.ts'
import type { Credentials } from '../stack/credentials.ts'
import { ApiError } from './api-client.ts'
import type { ApiClient } from './api-client.ts'
import { ask } from './ask.ts'
import { INVOICE_FILE, ensurePathway } from './pathway.ts'
import { createProgress } from './progress.ts'

export interface DemoRun {
  api: ApiClient
  credentials: Credentials
  payUrl: string
  /** Approve without asking. */
  yes: boolean
}

/**
 * Runs the sample pathway over the sample invoice, follows it live, and lets a person decide. Gives the job as it
 * then is: finished, or still waiting when the person left without deciding.
 */
export async function runSample({ api, credentials, payUrl, yes }: DemoRun): Promise<JobView> {
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
  const show = createProgress(text => process.stdout.write(text))
  for await (const event of api.follow(job_id)) {
    show(event)
    if (event.type === 'intervention' && event.change === 'opened' && !(await decide(job_id, event.interventionId)))
      break
  }
  return api.call<JobView>('GET', `/v1/jobs/${job_id}/status`)

  /** False when the person left without deciding. */
  async function decide(jobId: string, interventionId: string): Promise<boolean> {
    const { waitingFor } = await api.call<JobView>('GET', `/v1/jobs/${jobId}/status`)
    const asked = [waitingFor ?? []].flat().find(each => each.interventionId === interventionId)
    if (!asked) return true
    const decision = await ask(asked, yes)
    if (!decision) return false
    await answer(jobId, { type: 'intervention_response', interventionId, ...decision })
    return true
  }

  /** An answer that comes too late, since another was given meanwhile, is only reported. */
  async function answer(jobId: string, input: Record<string, string>): Promise<void> {
    try {
      await api.call('POST', `/v1/jobs/${jobId}/input`, { workspace_id: credentials.workspace_id, input })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      process.stdout.write(`  the answer was not taken: ${error.message}\n`)
    }
  }
}
