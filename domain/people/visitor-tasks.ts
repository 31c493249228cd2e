import type { JobEvent } from '../runs/events.ts'
import { ACTIONS, type Intervention, type VisitorTask } from './intervention.ts'
import { isVisitorName } from '../access/principal.ts'

type OpenTask = Pick<Intervention, 'id' | 'node_key' | 'node_id' | 'assignees'> & TaskContent
type TaskContent = Omit<VisitorTask, 'interventionId' | 'actions'>

/**
 * Returns the event for an opened task. A visitor can't read the task in any other way, so the event for a visitor's
 * task contains the task itself.
 */
export const createOpenedEvent = (intervention: OpenTask): JobEvent => ({
  type: 'intervention',
  change: 'opened',
  interventionId: intervention.id,
  key: intervention.node_key,
  node_id: intervention.node_id,
  title: intervention.title,
  assignees: intervention.assignees,
  ...(intervention.assignees.some(isVisitorName) && { task: presentVisitorTask(intervention.id, intervention) }),
  at: intervention.opened_at,
})

export const presentVisitorTask = (
  interventionId: string,
  { kind, title, description, form, questions, context, due_at, opened_at }: TaskContent,
): VisitorTask => ({
  interventionId,
  kind,
  title,
  ...(description && { description }),
  actions: [...ACTIONS[kind]],
  ...(form && { form }),
  ...(questions && { questions }),
  ...((context ?? null) !== null && { context }),
  ...(due_at && { due_at }),
  opened_at,
})
