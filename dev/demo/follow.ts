import type { JobView } from '../../services/jobs/types.ts'
import type { Credentials } from '../stack/credentials.ts'
import { ApiError } from './api-client.ts'
import type { ApiClient } from './api-client.ts'
import { ask } from './ask.ts'
import { createProgress } from './progress.ts'

/** A run that a person follows in the terminal. */
export interface Attended {
  api: ApiClient
  credentials: Credentials
  /** Answer without asking. */
  yes: boolean
}

/**
 * Shows a run as it goes, and has the person answer what it asks. Gives the job as it then is: finished, or still waiting
 * when the person left without an answer.
 */
export async function follow({ api, credentials, yes }: Attended, job_id: string): Promise<JobView> {
  const show = createProgress(text => process.stdout.write(text))
  for await (const event of api.follow(job_id)) {
    show(event)
    if (event.type === 'intervention' && event.change === 'opened' && !(await decide(event.interventionId))) break
  }
  return api.call<JobView>('GET', `/v1/jobs/${job_id}/status`)

  /** False when the person left without deciding. */
  async function decide(interventionId: string): Promise<boolean> {
    const { waitingFor } = await api.call<JobView>('GET', `/v1/jobs/${job_id}/status`)
    const asked = (waitingFor ?? []).find(each => each.interventionId === interventionId)
    if (!asked) return true
    const decision = await ask(asked, yes)
    if (!decision) return false
    await answer({ type: 'intervention_response', interventionId, ...decision })
    return true
  }

  /** An answer that comes too late, since another was given meanwhile, is only reported. */
  async function answer(input: object): Promise<void> {
    try {
      await api.call('POST', `/v1/jobs/${job_id}/input`, { workspace_id: credentials.workspace_id, input })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      process.stdout.write(`  the answer was not taken: ${error.message}\n`)
    }
  }
}
