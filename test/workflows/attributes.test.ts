import type { WaitingFor } from '../../domain/people/intervention.ts'
import { buildStateAttributes } from '../../workflows/shared/run/attributes.ts'

const waiting = (assignees: string[], due_at?: string): WaitingFor => ({
  interventionId: 'i',
  kind: 'approval',
  title: 'Pay?',
  node_id: 'review',
  actions: ['approve', 'reject'],
  assignees,
  quorum: 1,
  approvals: 0,
  opened_at: '2026-01-31T12:00:00.000Z',
  due_at,
})
const attribute = (name: string, waitingFor: WaitingFor[]): unknown =>
  buildStateAttributes('waiting', waitingFor).find(({ key }) => key.name === name)?.value

describe('the attributes of a waiting run', () => {
  test('contain each person once, with the earliest due times first', () => {
    const waitingFor = [
      waiting(['group:a', 'user:ann']),
      waiting(['user:ann', 'user:bob'], '2026-02-02T00:00:00.000Z'),
      waiting(['group:c'], '2026-02-01T00:00:00.000Z'),
    ]
    expect(attribute('GanglionWaitingOn', waitingFor)).toEqual(['group:c', 'user:ann', 'user:bob', 'group:a'])
    expect(attribute('GanglionDueAt', waitingFor)).toEqual(new Date('2026-02-01T00:00:00.000Z'))
  })

  test('contain no person if anyone may answer', () => {
    expect(attribute('GanglionWaitingOn', [waiting([])])).toBeNull()
  })

  test("stay within the server's size limit", () => {
    const names = Array.from({ length: 300 }, (_, i) => `user:${'ü'.repeat(100)}${i}`)
    const value = attribute('GanglionWaitingOn', [waiting(names)]) as string[]
    expect(value.length).toBeGreaterThan(3)
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(2_048)
  })
})
