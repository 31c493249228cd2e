import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { findIntervention, openInterventionsOf } from '../../data/interventions-store.ts'
import { nodesOf } from '../../data/job-nodes-store.ts'
import { findJob, insertJob, setCancelledBy } from '../../data/jobs-store.ts'
import type { Tx } from '../../data/database.ts'
import type { Intervention, InterventionChange, JobRef, NodeMilestone } from '../../domain/jobs.ts'
import type { RecordInput } from '../../domain/run-records.ts'
import { createProjections, type Projections } from '../../services/projections.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createPrincipal } from '../support/workspace.ts'

let database: TestDatabase
let projections: Projections
let workspace_id: string

beforeAll(async () => {
  database = await createTestDatabase()
  projections = createProjections(database)
  workspace_id = (await createPrincipal(database.db)).workspace_id
})
afterAll(() => database.drop())

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace_id, work)
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

const refTo = (): JobRef => {
  const job_id = `x-${randomUUID()}`
  return { job_id, root_job_id: job_id, workspace_id }
}
async function startJob(): Promise<JobRef> {
  const job = refTo()
  const row = { ...job, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null, title: 'T' }
  await inside(tx => insertJob(tx, { ...row, requester: 'user:ann', input: { b: 1, a: 2 } }))
  return job
}
const jobOf = async (job: JobRef) => {
  const found = await inside(tx => findJob(tx, job.job_id))
  if (!found) throw new Error('the job is not there')
  return found
}
const record = (job: JobRef, more: Partial<RecordInput> = {}): RecordInput => ({
  job,
  nodes: [],
  interventions: [],
  ...more,
})
const node = (status: NodeMilestone['status'], second: number, more: Partial<NodeMilestone> = {}): NodeMilestone => ({
  key: 'a',
  node_id: 'a',
  node_type: 'http',
  status,
  at: at(second),
  ...more,
})
const asking = (more: Partial<Intervention> = {}): Intervention => ({
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
const approval = (id: string, by = 'user:ann'): InterventionChange => {
  const vote = { action: 'approve', by, at: at(5), comment: 'fine' } as const
  return { change: 'answered', id, vote, decided: true, decision: vote }
}
/** All orders of a few things. */
const orders = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map(rest => [item].concat(rest)))

describe('nodes', () => {
  const story = [
    node('running', 1, { title: 'A' }),
    node('failed', 2, { attempt: 1, error: { code: 'X', message: 'no' } }),
    node('running', 2, { attempt: 2 }),
    node('completed', 3, { attempt: 2, port: 'default', output: { z: 1, a: null } }),
  ]
  const told = {
    ...node('completed', 3, { attempt: 2, port: 'default', output: { z: 1, a: null } }),
    title: 'A',
    started_at: at(1),
    finished_at: at(3),
  }

  test('in whatever order and however often milestones come, the last one counts', async () => {
    for (const order of orders(story)) {
      const job = await startJob()
      for (const milestone of [...order, ...order.toReversed()])
        await projections.applyRecord(record(job, { nodes: [milestone] }))
      expect(await inside(tx => nodesOf(tx, job.job_id))).toEqual([told])
      const once = await startJob()
      await projections.applyRecord(record(once, { nodes: order }))
      expect(await inside(tx => nodesOf(tx, once.job_id))).toEqual([told])
    }
  })

  test('in one millisecond the end comes after the beginning, and an undo after the end', async () => {
    const job = await startJob()
    const nodes = [node('compensated', 1), node('completed', 1, { output: 7 }), node('running', 1)]
    for (const milestone of nodes) await projections.applyRecord(record(job, { nodes: [milestone] }))
    expect(await inside(tx => nodesOf(tx, job.job_id))).toMatchObject([{ status: 'compensated', output: 7 }])
  })

  test('many nodes go in one statement, and are read in the order they began', async () => {
    const job = await startJob()
    const nodes = Array.from({ length: 500 }, (_, i) => node('running', i, { key: `each[${i}]/a` })).toReversed()
    await projections.applyRecord(record(job, { nodes }))
    const keys = (await inside(tx => nodesOf(tx, job.job_id))).map(row => row.key)
    expect(keys).toEqual(Array.from({ length: 500 }, (_, i) => `each[${i}]/a`))
  })

  test('what an activity tells counts its usage once per attempt, and keeps its text', async () => {
    const job = await startJob()
    const usage = { input_tokens: 10, output_tokens: 5, usd: 0.1 }
    await projections.nodeStarted(record(job, { nodes: [node('running', 1)], current_step: 'A' }))
    expect(await jobOf(job)).toMatchObject({ status: 'running', current_step: 'A', processed_at: expect.any(String) })
    const done = { job, milestone: node('completed', 2, { attempt: 1 }), transcript: 'Hello \u0000', usage }
    await projections.nodeFinished(done)
    await projections.nodeFinished(done)
    await projections.nodeFinished({ ...done, milestone: node('completed', 3, { attempt: 2 }), transcript: undefined })
    expect((await jobOf(job)).usage).toEqual({ input_tokens: 20, output_tokens: 10, usd: 0.2 })
    expect(await inside(tx => nodesOf(tx, job.job_id))).toMatchObject([{ attempt: 2, transcript: 'Hello \ufffd' }])
  })

  test('text from outside that Postgres cannot hold does not stop a run', async () => {
    const job = await startJob()
    const output = { 'k\u0000': 'a\u0000b\\u0000 \\\u0000', half: '\ud800', whole: '\ud83d\ude00', path: 'C:\\u0000' }
    const error = { code: 'X', message: 'bad \u0000 reply' }
    await projections.applyRecord(
      record(job, { nodes: [node('failed', 1, { output, error, title: '\u0000' })], current_step: '\u0000' }),
    )
    expect(await inside(tx => nodesOf(tx, job.job_id))).toMatchObject([
      {
        title: '\ufffd',
        output: {
          'k\ufffd': 'a\ufffdb\\u0000 \\\ufffd',
          half: '\ufffd',
          whole: '\ud83d\ude00',
          path: 'C:\\u0000',
        },
        error: { message: 'bad \ufffd reply' },
      },
    ])
  })
})

describe('the job', () => {
  test('starts as pending, and the first news makes it running, from then on', async () => {
    const job = await startJob()
    expect(await jobOf(job)).toMatchObject({ status: 'pending', processed_at: null, input: { b: 1, a: 2 } })
    await projections.applyRecord(record(job, { progress: { done: 1, total: 3 } }))
    const { processed_at } = await jobOf(job)
    await projections.applyRecord(record(job, { status: 'waiting', current_step: 'Approve?' }))
    expect(await jobOf(job)).toMatchObject({
      status: 'waiting',
      current_step: 'Approve?',
      progress: { done: 1, total: 3 },
      processed_at,
    })
  })

  test('ends once: nothing that comes later changes it', async () => {
    const job = await startJob()
    const finish = { ...record(job), at: at(9), outcome: 'completed', result: { z: 1, a: '\u0000' } } as const
    await projections.applyFinish(finish)
    const ended = await jobOf(job)
    expect(ended).toMatchObject({ status: 'completed', finished_at: at(9), result: { z: 1, a: '\u0000' } })
    expect(Object.keys(ended.result as object)).toEqual(['z', 'a'])
    await projections.applyFinish(finish)
    await projections.applyFinish({
      ...record(job),
      at: at(10),
      outcome: 'failed',
      error: { code: 'X', message: 'no' },
    })
    await projections.applyRecord(record(job, { status: 'running', current_step: 'late', nodes: [node('running', 1)] }))
    expect(await jobOf(job)).toEqual(ended)
    expect(await inside(tx => nodesOf(tx, job.job_id))).toHaveLength(1)
  })

  test('a cancelled one is failed, names who cancelled and leaves the receipt', async () => {
    const job = await startJob()
    await inside(tx => setCancelledBy(tx, job.job_id, 'user:ann'))
    await inside(tx => setCancelledBy(tx, job.job_id, 'user:ben'))
    const receipt = [{ node_id: 'a', key: 'a', outcome: 'stopped' as const }]
    await projections.applyFinish({ ...record(job), at: at(9), outcome: 'cancelled', receipt })
    const reason = { failed_reason: 'cancelled by user:ann', failed_code: 'CANCELLED', receipt }
    expect(await jobOf(job)).toMatchObject({ status: 'failed', result: null, ...reason })
  })

  test('a child run has a row of its own, once', async () => {
    const root = await startJob()
    const job = { ...refTo(), root_job_id: root.job_id }
    const pathway = { id: randomUUID(), version: 3, title: 'Child' }
    const child = { job, parent_key: 'sub', pathway, requester: 'user:ann', input: [1] }
    await projections.applyOpenChild(child)
    await projections.applyRecord(record(job, { status: 'running' }))
    await projections.applyOpenChild(child)
    expect(await jobOf(job)).toMatchObject({
      root_job_id: root.job_id,
      parent_key: 'sub',
      pathway_id: pathway.id,
      pathway_version: 3,
      status: 'running',
      input: [1],
    })
  })

  test('news of a job without a row is dropped without harm', async () => {
    const job = refTo()
    const opened = asking()
    const interventions: InterventionChange[] = [{ change: 'opened', intervention: opened }, approval(opened.id)]
    const usage = { input_tokens: 1, output_tokens: 1, usd: 1 }
    await projections.applyRecord(record(job, { status: 'running', nodes: [node('running', 1)], interventions }))
    await projections.nodeFinished({ job, milestone: node('completed', 2), usage })
    await projections.applyFinish({ ...record(job), at: at(9), outcome: 'completed' })
    expect(await inside(tx => findJob(tx, job.job_id))).toBeUndefined()
    expect(await inside(tx => nodesOf(tx, job.job_id))).toEqual([])
    expect(await inside(tx => findIntervention(tx, opened.id))).toBeUndefined()
  })

  test('many tellers of one job at once neither fail nor lose anything', async () => {
    const job = await startJob()
    const nodes = Array.from({ length: 20 }, (_, i) => node('completed', i, { key: `each[${i}]/a` }))
    const usage = { input_tokens: 1, output_tokens: 1, usd: 0.01 }
    await Promise.all(
      nodes.flatMap(milestone => [
        projections.nodeStarted(record(job, { nodes: nodes.toReversed(), current_step: 'all' })),
        projections.nodeFinished({ job, milestone, usage }),
      ]),
    )
    expect((await jobOf(job)).usage).toEqual({ input_tokens: 20, output_tokens: 20, usd: 0.2 })
    expect(await inside(tx => nodesOf(tx, job.job_id))).toHaveLength(20)
  })
})

describe('interventions', () => {
  const auditOf = (target: string) =>
    inside(tx => tx.query('select actor, action, at, details from audit_log where target = $1', [target]))

  test('an opened one says what is asked, of whom, and the hash of what is shown', async () => {
    const job = await startJob()
    const opened = asking()
    await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: opened }] }))
    const [open] = await inside(tx => openInterventionsOf(tx, job.job_id))
    const { kind, title, description, context, node_id } = opened
    const shown = { kind, title, description, context, node_id, due_at: '2026-02-01T00:00:00.000Z' }
    const shown_hash = createHash('sha256')
      .update(canonicalize(shown) ?? '')
      .digest('hex')
    expect(open).toMatchObject({ ...opened, due_at: shown.due_at, status: 'open', votes: [], shown_hash })
  })

  test('whatever order its news come in, and however often, it ends the same', async () => {
    for (const shuffle of orders(['opened', 'escalated', 'answered', 'reminded'] as const)) {
      const job = await startJob()
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
      const found = await inside(tx => findIntervention(tx, opened.id))
      expect(found).toMatchObject({
        title: 'Approve?',
        assignees: expect.arrayContaining(['group:finance', 'user:cfo']),
        status: 'decided',
        closed_at: at(5),
        decision: { action: 'approve', by: 'user:ann', comment: 'fine' },
        votes: [{ action: 'approve', by: 'user:ann', at: at(5), comment: 'fine' }],
      })
      expect(found?.assignees).toHaveLength(2)
      const together = await startJob()
      await projections.applyRecord(
        record(together, { interventions: changes.map(change => rename(change, 'b' + opened.id)) }),
      )
      expect(await inside(tx => findIntervention(tx, 'b' + opened.id))).toMatchObject({
        status: 'decided',
        shown_hash: found?.shown_hash,
      })
    }
  })

  test('an answer is in the audit log once, with who, when and the hash of what was shown', async () => {
    const job = await startJob()
    const opened = asking({ quorum: 2 })
    const first = approval(opened.id)
    const short: InterventionChange = { ...first, decided: false, decision: undefined } as InterventionChange
    const changes: InterventionChange[] = [{ change: 'opened', intervention: opened }, short]
    await projections.applyRecord(record(job, { interventions: changes }))
    await projections.applyRecord(record(job, { interventions: changes }))
    const open = await inside(tx => findIntervention(tx, opened.id))
    expect(open).toMatchObject({ status: 'open', votes: [{ by: 'user:ann' }] })
    await projections.applyRecord(record(job, { interventions: [approval(opened.id, 'user:ben')] }))
    expect(await inside(tx => findIntervention(tx, opened.id))).toMatchObject({ status: 'decided', votes: [{}, {}] })
    const details = { job_id: job.job_id, node_id: 'review', answer: 'approve', shown_hash: open?.shown_hash }
    expect(await auditOf(opened.id)).toEqual([
      { actor: 'user:ann', action: 'intervention.answer', at: at(5), details },
      { actor: 'user:ben', action: 'intervention.answer', at: at(5), details },
    ])
  })

  test('the first closing counts, and the end of a job closes what is open', async () => {
    const job = await startJob()
    const [late, left] = [asking(), asking()]
    const opened = [late, left].map(intervention => ({ change: 'opened', intervention }) as const)
    await projections.applyRecord(record(job, { interventions: opened }))
    await projections.applyRecord(record(job, { interventions: [{ change: 'timed_out', id: late.id, at: at(3) }] }))
    await projections.applyRecord(record(job, { interventions: [approval(late.id)] }))
    await projections.applyFinish({ ...record(job), at: at(9), outcome: 'failed' })
    const never = asking()
    await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: never }] }))
    expect(await inside(tx => openInterventionsOf(tx, job.job_id))).toEqual([])
    expect(await inside(tx => findIntervention(tx, late.id))).toMatchObject({ status: 'timed_out', closed_at: at(3) })
    expect(await inside(tx => findIntervention(tx, left.id))).toMatchObject({ status: 'cancelled', closed_at: at(9) })
    expect(await inside(tx => findIntervention(tx, never.id))).toMatchObject({ status: 'cancelled' })
  })

  test('an asking of a child run is found by its root', async () => {
    const root = await startJob()
    const job = { ...refTo(), root_job_id: root.job_id }
    const pathway = { id: null, version: null, title: 'Child' }
    await projections.applyOpenChild({ job, parent_key: 'sub', pathway, requester: 'user:ann', input: null })
    await projections.applyRecord(record(job, { interventions: [{ change: 'opened', intervention: asking() }] }))
    expect(await inside(tx => openInterventionsOf(tx, root.job_id))).toMatchObject([{ job_id: job.job_id }])
  })
})

function rename(change: InterventionChange, id: string): InterventionChange {
  return change.change === 'opened' ? { ...change, intervention: { ...change.intervention, id } } : { ...change, id }
}
