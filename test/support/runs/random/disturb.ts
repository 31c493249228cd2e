import { setTimeout as sleep } from 'node:timers/promises'
import type { InterventionView } from '../../../../contract/people/intervention.ts'
import type { Choices } from '../../../domain/support/choices.ts'
import type { ApiClient } from '../../clients/client.ts'
import type { TestWorkspace } from '../../stack/stack.ts'

const DISTURBANCES = ['answer', 'answer', 'event', 'pause', 'cancel', 'cancel child', 'wait'] as const
const MAX_PAUSE_MS = 400

/**
 * Disturbs a run at random moments: answers its questions, sends it an event, pauses and resumes it, cancels it or
 * one of its children. Requests that arrive too late are rejected, as expected.
 * @param children returns the ids of its child runs
 */
export async function disturb(
  { client, id }: TestWorkspace,
  jobId: string,
  decide: Choices,
  children: () => Promise<string[]>,
): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await sleep(decide.below(MAX_PAUSE_MS))
    switch (decide.of(DISTURBANCES)) {
      case 'answer':
        await answerOne(client, id, jobId, decide)
        break
      case 'event':
        await client.post(`/v1/jobs/${jobId}/resume`, { event: 'go' })
        break
      case 'pause':
        await client.post(`/v1/jobs/${jobId}/pause`)
        await sleep(decide.below(MAX_PAUSE_MS))
        await client.post(`/v1/jobs/${jobId}/resume`)
        break
      case 'cancel':
        if (decide.once(2)) await client.post(`/v1/jobs/${jobId}/cancel`)
        break
      case 'cancel child': {
        const open = await children()
        if (open.length > 0) await client.post(`/v1/jobs/${decide.of(open)}/cancel`)
      }
    }
  }
}

async function answerOne(client: ApiClient, workspace_id: string, jobId: string, decide: Choices): Promise<void> {
  const { body } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?status=open&job_id=${jobId}`)
  if (body.data.length === 0) return
  const { interventionId, kind, questions } = decide.of(body.data)
  const answers = Object.fromEntries((questions ?? []).map(question => [question.id, 'Kiel']))
  const input = {
    approval: { action: decide.of(['approve', 'reject']) },
    form: { action: 'submit_input', data: {} },
    questions: decide.once(3) ? { action: 'decline_questions' } : { action: 'answer_questions', answers },
  }[kind]
  await client.post(`/v1/jobs/${jobId}/input`, {
    workspace_id,
    input: { type: 'intervention_response', interventionId, ...input },
  })
}
