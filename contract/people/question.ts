import { z } from 'zod'
import { INTERVENTION_ACTIONS, INTERVENTION_KINDS, type WaitingFor } from '../../domain/people/intervention.ts'
import { jsonValue } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'

export const answerAction = z.enum(INTERVENTION_ACTIONS)

/** The fields of a task that visitors also receive. */
const question = {
  interventionId: z.string(),
  kind: z.enum(INTERVENTION_KINDS),
  title: z.string(),
  description: z.string().optional(),
  actions: z.array(answerAction).readonly(),
  form: z.custom<WaitingFor['form']>().optional().meta({ type: 'object' }),
  questions: z
    .array(z.object({ id: z.string(), text: z.string(), options: z.array(z.string()).optional() }))
    .optional(),
  context: jsonValue.optional(),
  due_at: timestamp.optional(),
  opened_at: timestamp,
}

export const waitingFor = z
  .object({
    ...question,
    job_id: z.string().optional(),
    node_id: z.string(),
    assignees: z.array(z.string()),
    quorum: z.int(),
    approvals: z
      .int()
      .meta({ description: 'Number of approvals so far. The node continues when this number reaches the quorum.' }),
    pending_answers: z
      .array(z.object({ action: z.string(), by: z.string(), at: timestamp }))
      .optional()
      .meta({ description: 'Answers that no worker has processed yet. They may still count.' }),
  })
  .meta({ id: 'WaitingFor' })

/** A task, as visitors see it. */
export const visitorTask = z.object(question).meta({ id: 'VisitorTask' })

export const openInterventions = z
  .array(waitingFor)
  .meta({ description: 'The open interventions of the job and its child runs, oldest first' })
