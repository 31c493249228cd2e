import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { findIntervention, openInterventionsOf } from '../../data/interventions-store.ts'
import type { InterventionChange } from '../../domain/jobs.ts'
import type { Projections } from '../../services/projections.ts'
import { approval, asking } from '../support/askings.ts'
import { orders } from '../support/orders.ts'
import { at, createProjectionRoom, record, type ProjectionRoom } from '../support/projection-room.ts'

let room: ProjectionRoom
let projections: Projections

beforeAll(async () => {
  room = await createProjectionRoom()
  projections = room.projections
})
afterAll(() => room.close())

const auditOf = (target: string) =>
  room.inside(tx => tx.query('select actor, action, at, details from audit_log where target = $1', [target]))

test('an opened one says what is asked, of whom, and the hash of what is shown', async () => {
  const job = await room.startJob()
  const opened = asking()
  await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: opened }] }))
  const [open] = await room.inside(tx => openInterventionsOf(tx, job.job_id))
  const { kind, title, description, context, node_id } = opened
  const shown = { kind, title, description, context, node_id, due_at: '2026-02-01T00:00:00.000Z' }
  const shown_hash = createHash('sha256')
    .update(canonicalize(shown) ?? '')
    .digest('hex')
  expect(open).toMatchObject({ ...opened, due_at: shown.due_at, status: 'open', votes: [], shown_hash })
})

test('whatever order its news come in, and however often, it ends the same', async () => {
  for (const shuffle of orders(['opened', 'escalated', 'answered', 'reminded'] as const)) {
    const job = await room.startJob()
    const opened = asking()
    const news: Record<(typeof shuffle)[number], InterventionChange> = {
      opened: { change: 'opened', intervention: opened },
      escalated: { change: 'escalated', id: opened.id, at: at(3), assignees: ['user:cfo', 'group:finance'] },
      answered: approval(opened.id),
      reminded: { change: 'reminded', id: opened.id, at: at(2) },
    }
    const changes = shuffle.map(kind => news[kind])
    for (const change of [...changes, ...changes])
      await projections.applyRecord(record(job, { interventions: [change] }))
    const found = await room.inside(tx => findIntervention(tx, opened.id))
    expect(found).toMatchObject({
      title: 'Approve?',
      assignees: expect.arrayContaining(['group:finance', 'user:cfo']),
      status: 'decided',
      closed_at: at(5),
      decision: { action: 'approve', by: 'user:ann', comment: 'fine' },
      votes: [{ action: 'approve', by: 'user:ann', at: at(5), comment: 'fine' }],
    })
    expect(found?.assignees).toHaveLength(2)
    const together = await room.startJob()
    await projections.applyRecord(
      record(together, { interventions: changes.map(change => rename(change, 'b' + opened.id)) }),
    )
    expect(await room.inside(tx => findIntervention(tx, 'b' + opened.id))).toMatchObject({
      status: 'decided',
      shown_hash: found?.shown_hash,
    })
  }
})

test('an answer is in the audit log once, with who, when and the hash of what was shown', async () => {
  const job = await room.startJob()
  const opened = asking({ quorum: 2 })
  const first = approval(opened.id)
  const short: InterventionChange = { ...first, decided: false, decision: undefined } as InterventionChange
  const changes: InterventionChange[] = [{ change: 'opened', intervention: opened }, short]
  await projections.applyRecord(record(job, { interventions: changes }))
  await projections.applyRecord(record(job, { interventions: changes }))
  const open = await room.inside(tx => findIntervention(tx, opened.id))
  expect(open).toMatchObject({ status: 'open', votes: [{ by: 'user:ann' }] })
  await projections.applyRecord(record(job, { interventions: [approval(opened.id, 'user:ben')] }))
  expect(await room.inside(tx => findIntervention(tx, opened.id))).toMatchObject({ status: 'decided', votes: [{}, {}] })
  const details = { job_id: job.job_id, node_id: 'review', answer: 'approve', shown_hash: open?.shown_hash }
  expect(await auditOf(opened.id)).toEqual([
    { actor: 'user:ann', action: 'intervention.answer', at: at(5), details },
    { actor: 'user:ben', action: 'intervention.answer', at: at(5), details },
  ])
})

test('the first closing counts, and the end of a job closes what is open', async () => {
  const job = await room.startJob()
  const [late, left] = [asking(), asking()]
  const opened = [late, left].map(intervention => ({ change: 'opened', intervention }) as const)
  await projections.applyRecord(record(job, { interventions: opened }))
  await projections.applyRecord(record(job, { interventions: [{ change: 'timed_out', id: late.id, at: at(3) }] }))
  await projections.applyRecord(record(job, { interventions: [approval(late.id)] }))
  await projections.applyFinish({ ...record(job), at: at(9), outcome: 'failed' })
  const never = asking()
  await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: never }] }))
  expect(await room.inside(tx => openInterventionsOf(tx, job.job_id))).toEqual([])
  expect(await room.inside(tx => findIntervention(tx, late.id))).toMatchObject({
    status: 'timed_out',
    closed_at: at(3),
  })
  expect(await room.inside(tx => findIntervention(tx, left.id))).toMatchObject({
    status: 'cancelled',
    closed_at: at(9),
  })
  expect(await room.inside(tx => findIntervention(tx, never.id))).toMatchObject({ status: 'cancelled' })
})

test('an asking of a child run is found by its root', async () => {
  const root = await room.startJob()
  const job = { ...room.refTo(), root_job_id: root.job_id }
  const pathway = { id: null, version: null, title: 'Child' }
  await projections.applyOpenChild({ job, parent_key: 'sub', pathway, requester: 'user:ann', input: null })
  await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: asking() }] }))
  expect(await room.inside(tx => openInterventionsOf(tx, root.job_id))).toMatchObject([{ job_id: job.job_id }])
})

function rename(change: InterventionChange, id: string): InterventionChange {
  return change.change === 'opened' ? { ...change, intervention: { ...change.intervention, id } } : { ...change, id }
}
