import { randomUUID } from 'node:crypto'
import type { Intervention, InterventionChange } from '../../../domain/people/intervention.ts'
import { at } from '../runs/projection-fixture.ts'

export const buildIntervention = (more: Partial<Intervention> = {}): Intervention => ({
  id: randomUUID(),
  node_key: 'review',
  node_id: 'review',
  kind: 'approval',
  title: 'Approve?',
  description: 'It is a lot',
  context: { z: 1, a: [2] },
  assignees: ['group:finance'],
  quorum: 1,
  due_at: '2026-02-01T00:00:00Z',
  opened_at: at(1),
  ...more,
})
export const approval = (id: string, by = 'user:ann'): InterventionChange => {
  const vote = { action: 'approve', by, at: at(5), comment: 'fine' } as const
  return { change: 'answered', id, vote, decided: true, decision: vote }
}
