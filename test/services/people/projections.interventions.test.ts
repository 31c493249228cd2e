import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { insertBrain } from '../../../data/access/access-store.ts'
import { insertCredential, type NewCredential, revokeCredential } from '../../../data/access/credentials-store.ts'
import { saveMember } from '../../../data/access/members-store.ts'
import { countEligible } from '../../../data/people/eligible-people-store.ts'
import { listInterventionChanges } from '../../../data/people/intervention-changes-store.ts'
import { findIntervention, listOpenInterventions } from '../../../data/people/interventions-store.ts'
import type { Intervention, InterventionChange } from '../../../domain/people/intervention.ts'
import type { Projections } from '../../../services/runs/projections.ts'
import { approval, buildIntervention } from '../../support/people/interventions.ts'
import { orders } from '../../support/runs/orders.ts'
import { at, createProjectionFixture, record, type ProjectionFixture } from '../../support/runs/projection-fixture.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'

let fixture: ProjectionFixture
let projections: Projections

beforeAll(async () => {
  fixture = await createProjectionFixture()
  projections = fixture.projections
})
afterAll(() => fixture.close())

const auditOf = (target: string) =>
  fixture.inside(tx =>
    select(
      tx,
      pick(auditLogTable, 'actor', 'action', 'at', 'details'),
      'select actor, action, at, details from audit_log where target = $1 order by id',
      [target],
    ),
  )

test('an opened intervention contains the question, its assignees, and the hash of the displayed content', async () => {
  const job = await fixture.startJob()
  const opened = buildIntervention()
  await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: opened }] }))
  const [open] = await fixture.inside(tx => listOpenInterventions(tx, job.job_id))
  const { kind, title, description, context, node_id } = opened
  const shown = { kind, title, description, context, node_id, due_at: '2026-02-01T00:00:00.000Z' }
  const shown_hash = createHash('sha256')
    .update(canonicalize(shown) ?? '')
    .digest('hex')
  expect(open).toMatchObject({ ...opened, due_at: shown.due_at, status: 'open', votes: [], shown_hash })
})

test('an intervention reaches the same final state for every order and repetition of its updates', async () => {
  for (const shuffle of orders(['opened', 'escalated', 'answered', 'reminded'] as const)) {
    const job = await fixture.startJob()
    const opened = buildIntervention()
    const updates: Record<(typeof shuffle)[number], InterventionChange> = {
      opened: { change: 'opened', intervention: opened },
      escalated: { change: 'escalated', id: opened.id, at: at(3), assignees: ['user:cfo', 'group:finance'] },
      answered: approval(opened.id),
      reminded: { change: 'reminded', id: opened.id, at: at(2) },
    }
    const changes = shuffle.map(kind => updates[kind])
    for (const change of [...changes, ...changes])
      await projections.applyRecord(record(job, { interventions: [change] }))
    const found = await fixture.inside(tx => findIntervention(tx, opened.id))
    expect(found).toMatchObject({
      title: 'Approve?',
      assignees: expect.arrayContaining(['group:finance', 'user:cfo']),
      status: 'decided',
      closed_at: at(5),
      decision: { action: 'approve', by: 'user:ann', comment: 'fine' },
      votes: [{ action: 'approve', by: 'user:ann', at: at(5), comment: 'fine' }],
    })
    expect(found?.assignees).toHaveLength(2)
    expect(await fixture.inside(tx => listInterventionChanges(tx, opened.id))).toMatchObject([
      { change: 'reminded', by: null, at: at(2) },
    ])
    const together = await fixture.startJob()
    await projections.applyRecord(
      record(together, { interventions: changes.map(change => rename(change, 'b' + opened.id)) }),
    )
    expect(await fixture.inside(tx => findIntervention(tx, 'b' + opened.id))).toMatchObject({
      status: 'decided',
      shown_hash: found?.shown_hash,
    })
  }
})

test('an answer appears in the audit log once, with the person, the time and the hash of the displayed content', async () => {
  const job = await fixture.startJob()
  const opened = buildIntervention({ quorum: 2 })
  const first = approval(opened.id)
  const short: InterventionChange = { ...first, decided: false, decision: undefined } as InterventionChange
  const changes: InterventionChange[] = [{ change: 'opened', intervention: opened }, short]
  await projections.applyRecord(record(job, { interventions: changes }))
  await projections.applyRecord(record(job, { interventions: changes }))
  const open = await fixture.inside(tx => findIntervention(tx, opened.id))
  expect(open).toMatchObject({ status: 'open', votes: [{ by: 'user:ann' }] })
  await projections.applyRecord(record(job, { interventions: [approval(opened.id, 'user:ben')] }))
  expect(await fixture.inside(tx => findIntervention(tx, opened.id))).toMatchObject({
    status: 'decided',
    votes: [{}, {}],
  })
  const statement_hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string
  const details = {
    job_id: job.job_id,
    node_id: 'review',
    answer: 'approve',
    shown_hash: open?.shown_hash,
    statement_hash,
  }
  const written = await auditOf(opened.id)
  expect(written).toMatchObject([
    { actor: 'user:ann', action: 'intervention.answer', details: { ...details, seq: 1 } },
    { actor: 'user:ben', action: 'intervention.answer', details: { ...details, seq: 2 } },
  ])
})

test('only the first closing counts, and the end of a job closes its open interventions', async () => {
  const job = await fixture.startJob()
  const [late, left] = [buildIntervention(), buildIntervention()]
  const opened = [late, left].map(intervention => ({ change: 'opened', intervention }) as const)
  await projections.applyRecord(record(job, { interventions: opened }))
  await projections.applyRecord(record(job, { interventions: [{ change: 'timed_out', id: late.id, at: at(3) }] }))
  await projections.applyRecord(record(job, { interventions: [approval(late.id)] }))
  await projections.applyFinish({ ...record(job), at: at(9), outcome: 'failed' })
  const never = buildIntervention()
  await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: never }] }))
  expect(await fixture.inside(tx => listOpenInterventions(tx, job.job_id))).toEqual([])
  expect(await fixture.inside(tx => findIntervention(tx, late.id))).toMatchObject({
    status: 'timed_out',
    closed_at: at(3),
  })
  expect(await fixture.inside(tx => findIntervention(tx, left.id))).toMatchObject({
    status: 'cancelled',
    closed_at: at(9),
  })
  expect(await fixture.inside(tx => findIntervention(tx, never.id))).toMatchObject({ status: 'cancelled' })
})

test('an intervention in a child run can be found through its root run', async () => {
  const root = await fixture.startJob()
  const job = { ...fixture.refTo(), root_job_id: root.job_id }
  const pathway = { id: null, version: null, title: 'Child' }
  await projections.applyOpenChild({ job, parent_key: 'sub', pathway, requester: 'user:ann', input: null })
  await projections.applyRecord(
    record(job, { interventions: [{ change: 'opened', intervention: buildIntervention() }] }),
  )
  expect(await fixture.inside(tx => listOpenInterventions(tx, root.job_id))).toMatchObject([{ job_id: job.job_id }])
})

describe('people who may answer', () => {
  const LATER = '2100-01-01T00:00:00.000Z'
  const addKey = (name: string, more: Partial<NewCredential> = {}) =>
    fixture.inside(tx => {
      const key = {
        id: randomUUID(),
        kind: 'api_key' as const,
        prefix: randomUUID(),
        hmac: Buffer.alloc(32),
        actor: null,
        owner: null,
        groups: [],
      }
      return insertCredential(tx, { ...key, name, brain_ids: null, default_brain_id: null, expires_at: null, ...more })
    })
  async function open(more: Partial<Intervention>) {
    const intervention = buildIntervention(more)
    const events = await projections.applyRecord(
      record(await fixture.startJob(), { interventions: [{ change: 'opened', intervention }] }),
    )
    const [counted] = await fixture.inside(tx => countEligible(tx, [intervention.id]))
    return { eligible: counted?.eligible, told: events.map(({ eligible, quorum }) => ({ eligible, quorum })) }
  }

  beforeAll(async () => {
    const members = { 'user:ann': ['group:pay'], 'user:ben': ['group:pay', 'group:law'], 'user:cat': [] }
    for (const [actor, groups] of Object.entries(members))
      await fixture.inside(tx => saveMember(tx, { actor, groups, role: 'builder' }))
    await addKey('ann', { actor: 'user:ann', groups: ['group:law'] })
    await addKey('app', { groups: ['group:pay'], expires_at: LATER })
    await addKey('dan, in no group by membership', { actor: 'user:dan', groups: ['group:law'] })
    await addKey('gone', { actor: 'user:gone', groups: ['group:pay'], expires_at: '2020-01-01T00:00:00.000Z' })
    const revoked = randomUUID()
    await addKey('revoked', { id: revoked, actor: 'user:revoked', groups: ['group:pay'] })
    await fixture.inside(tx => revokeCredential(tx, 'api_key', revoked))
  })

  test.each<[Partial<Intervention>, number]>([
    [{ assignees: ['group:pay'] }, 3],
    [{ assignees: ['group:law'] }, 3],
    [{ assignees: ['group:pay', 'group:law'] }, 4],
    [{ assignees: ['group:pay'], excluded: ['user:ann'] }, 2],
    [{ assignees: ['user:cat', 'key:app', 'user:gone', 'user:unknown'] }, 2],
    [{ assignees: [] }, 5],
    [{ assignees: [], excluded: ['user:cat'] }, 4],
    [{ assignees: ['group:empty'] }, 0],
  ])('for %j are counted: %d', async (more, eligible) => expect((await open(more)).eligible).toBe(eligible))

  test('are reported if there are fewer than the quorum', async () => {
    expect((await open({ assignees: ['group:pay'], quorum: 3 })).told).toEqual([])
    const short = { assignees: ['group:pay'], quorum: 3, excluded: ['user:ann'] }
    expect((await open(short)).told).toEqual([{ eligible: 2, quorum: 3 }])
    expect((await open({ assignees: ['group:empty'] })).told).toEqual([{ eligible: 0, quorum: 1 }])
  })

  test('in another brain have keys that do not count', async () => {
    await addKey('elsewhere', { actor: 'user:else', groups: ['group:brain'], brain_ids: [randomUUID()] })
    const [job, brain] = [await fixture.startJob(), randomUUID()]
    await fixture.inside(tx => insertBrain(tx, { id: brain, name: 'B' }))
    await fixture.inside(tx => execute(tx, 'update jobs set brain_id = $2 where job_id = $1', [job.job_id, brain]))
    const intervention = buildIntervention({ assignees: ['group:brain'] })
    const events = await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention }] }))
    expect(events).toMatchObject([{ id: intervention.id, eligible: 0 }])
  })

  test('are counted once, together with the service keys that they own', async () => {
    await addKey('robot', { owner: 'user:eve', groups: ['group:robots'] })
    await addKey('eve', { actor: 'user:eve', groups: ['group:robots'] })
    expect((await open({ assignees: ['group:robots'] })).eligible).toBe(1)
    expect((await open({ assignees: ['group:robots'], excluded: ['user:eve'] })).eligible).toBe(0)
  })

  test('have bound keys that count for a job without a brain only if they are named', async () => {
    await addKey('bound', { actor: 'user:fay', groups: ['group:bound'], brain_ids: [randomUUID()] })
    const { eligible: before } = await open({ assignees: [] })
    await addKey('unbound', { actor: 'user:fay' })
    expect((await open({ assignees: [] })).eligible).toBe((before ?? 0) + 1)
    expect((await open({ assignees: ['group:bound'] })).eligible).toBe(1)
  })

  test('are not counted for closed interventions', async () => {
    const intervention = buildIntervention({ assignees: ['group:empty'] })
    const interventions = [{ change: 'opened', intervention } as const, approval(intervention.id)]
    expect(await projections.applyRecord(record(await fixture.startJob(), { interventions }))).toEqual([])
  })
})

function rename(change: InterventionChange, id: string): InterventionChange {
  return change.change === 'opened' ? { ...change, intervention: { ...change.intervention, id } } : { ...change, id }
}
