import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../data/shared/database.ts'
import { listNodes } from '../../../data/runs/job-nodes-store.ts'
import { deleteJob, findJob, insertChildJob, insertJob, listJobs, type NewJob } from '../../../data/runs/jobs-store.ts'
import { findEnded, repairJob } from '../../../data/runs/job-endings-store.ts'
import {
  insertResource,
  lockResource,
  type Resource,
  saveNextVersion,
} from '../../../data/resources/resources-store.ts'
import { readPayloads, savePayloads } from '../../../data/runs/payload-store.ts'
import { MAX_CHILD_RUNS } from '../../../domain/runs/jobs.ts'
import type { NodeStatus } from '../../../domain/runs/nodes.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { placeResources } from '../../support/resources/placed-resources.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute } from '../../../data/shared/statements.ts'

let database: TestDatabase
let workspace: string
let brain: string

beforeAll(async () => {
  database = await createTestDatabase()
  const principal = await createPrincipal(database.db)
  workspace = principal.workspace_id
  brain = principal.first_brain
})
afterAll(() => database.drop())

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace, work)
const newJob = (more: Partial<NewJob> = {}): NewJob => {
  const job_id = `x-${randomUUID()}`
  return {
    job_id,
    brain_id: null,
    root_job_id: job_id,
    people: ['user:ann'],
    parent_key: null,
    pathway_id: null,
    pathway_version: null,
    title: 'T',
    requester: 'user:ann',
    rights: [],
    input: null,
    ...more,
  }
}

describe('jobs', () => {
  test('are listed newest first, by pathway, status and brain, with the total even for a page past the end', async () => {
    const pathway_id = randomUUID()
    const all = [newJob({ pathway_id }), newJob({ pathway_id, brain_id: brain }), newJob()]
    for (const job of all) await inside(tx => insertJob(tx, job))
    await inside(tx => repairJob(tx, all[0]?.job_id ?? '', { status: 'failed', finished_at: new Date().toISOString() }))
    const list = async (filter: object, page = { limit: 50, offset: 0 }) => {
      const { rows, total } = await inside(tx => listJobs(tx, { ...filter, ...page }))
      return { found: rows.map(row => all.findIndex(job => job.job_id === row.job_id)), total }
    }
    expect(await list({})).toEqual({ found: [2, 1, 0], total: 3 })
    expect(await list({ pathway_id })).toEqual({ found: [1, 0], total: 2 })
    expect(await list({ pathway_id, statuses: ['failed'] })).toEqual({ found: [0], total: 1 })
    expect(await list({ brain_ids: [] })).toEqual({ found: [2, 0], total: 2 })
    expect(await list({ brain_ids: [brain] })).toEqual({ found: [2, 1, 0], total: 3 })
    expect(await list({}, { limit: 1, offset: 1 })).toEqual({ found: [1], total: 3 })
    expect(await list({}, { limit: 1, offset: 9 })).toEqual({ found: [], total: 3 })
    for (const nothing of [{ pathway_id: 'x' }, { pathway_id: randomUUID() }, { receptor_id: randomUUID() }])
      expect(await list(nothing)).toEqual({ found: [], total: 0 })
    const [row] = (await inside(tx => listJobs(tx, { limit: 1, offset: 0 }))).rows
    expect(Object.keys(row ?? {})).not.toEqual(expect.arrayContaining(['total']))
  })

  test('are counted up to 1,000 past the page', async () => {
    await inside(tx =>
      execute(
        tx,
        `insert into jobs (job_id, root_job_id, title, requester, people)
         select 'many-' || n, 'many-' || n, 'T', 'user:many', '{user:many}' from generate_series(1, 1500) n`,
      ),
    )
    const count = async (offset: number) =>
      (await inside(tx => listJobs(tx, { requester: 'user:many', limit: 10, offset }))).total
    expect([await count(0), await count(200), await count(490), await count(2_000)]).toEqual([
      1_010, 1_210, 1_500, 1_500,
    ])
    await inside(tx => execute(tx, `delete from jobs where requester = 'user:many'`))
  })

  test('are listed by the id or slug of a pathway, a receptor and a neuron', async () => {
    const kinds = { pathway_id: 'pathways', receptor_id: 'receptors', neuron_id: 'neurons' } as const
    for (const [field, kind] of Object.entries(kinds)) {
      const [one, other] = await placeResources(database.db, workspace, [
        { kind, path: '/' },
        { kind, path: '/' },
      ])
      const job = newJob({ [field]: one?.id })
      await inside(tx => insertJob(tx, job))
      const list = async (value = '') => {
        const { rows } = await inside(tx => listJobs(tx, { [field]: value, limit: 50, offset: 0 }))
        return rows.map(row => row.job_id)
      }
      expect(await list(one?.id)).toEqual([job.job_id])
      expect(await list(`s-${one?.id}`)).toEqual([job.job_id])
      expect(await list(`s-${other?.id}`)).toEqual([])
      expect(await list('nothing-of-this-name')).toEqual([])
    }
  })

  test('a root run can have a limited number of child runs across all levels, and a repeated start does not count', async () => {
    const root = newJob()
    const childOf = (parent: NewJob) => newJob({ root_job_id: root.job_id, parent_job_id: parent.job_id })
    const open = (job: NewJob) => inside(tx => insertChildJob(tx, job))
    const count = (used: number) =>
      inside(tx => execute(tx, 'update jobs set child_runs = $2 where job_id = $1', [root.job_id, used]))
    await inside(tx => insertJob(tx, root))
    await count(MAX_CHILD_RUNS - 2)
    const child = childOf(root)
    const grandchild = childOf(child)
    for (const job of [child, child, grandchild, grandchild]) await open(job)
    const refused = childOf(child)
    await expect(open(refused)).rejects.toThrow('at most 10000 child runs')
    expect(await inside(tx => findJob(tx, refused.job_id))).toBeUndefined()
  })

  test('an ended row is not repaired again', async () => {
    const job = newJob()
    const ending = { status: 'failed', failed_reason: 'terminated', failed_code: 'TERMINATED' } as const
    await inside(tx => insertJob(tx, job))
    await inside(tx => repairJob(tx, job.job_id, { ...ending, finished_at: '2100-01-01T00:00:00.000Z' }))
    await inside(tx =>
      repairJob(tx, job.job_id, { status: 'completed', result: 1, finished_at: '2026-01-02T00:00:00Z' }),
    )
    const ended = {
      status: 'failed',
      failed_reason: 'terminated',
      finished_at: '2100-01-01T00:00:00.000Z',
      result: null,
    }
    expect(await inside(tx => findJob(tx, job.job_id))).toMatchObject(ended)
    const running = newJob()
    await inside(tx => insertJob(tx, running))
    expect(await inside(tx => findEnded(tx, [job.job_id, running.job_id, 'x']))).toMatchObject([
      { job_id: job.job_id, ...ended },
    ])
  })

  test('a repaired row lists its open nodes in the receipt, and no node remains open', async () => {
    const job = newJob()
    await inside(tx => insertJob(tx, job))
    const began = (key: string, node_type: string, status: NodeStatus, second: number) => {
      const node_id = key.replace(/^.*\//, '')
      return { key, node_id, node_type, status, at: `2026-01-01T00:00:0${second}.000Z` }
    }
    const nodes = [
      began('fetched', 'http', 'completed', 1),
      began('each', 'map', 'running', 2),
      began('each[0]/pay', 'http', 'running', 3),
      began('inner', 'pathway', 'running', 4),
      began('until', 'wait', 'waiting', 5),
      began('review', 'human', 'waiting', 6),
    ]
    const ref = { job_id: job.job_id, root_job_id: job.job_id, workspace_id: workspace, people: [], rights: [] }
    await createProjections({ db: database.db, signer: createSigner({}) }).applyRecord({
      job: ref,
      nodes,
      interventions: [],
    })
    const finished_at = '2026-01-01T00:01:00.000Z'
    await inside(tx => repairJob(tx, job.job_id, { status: 'failed', failed_code: 'TERMINATED', finished_at }))
    expect((await inside(tx => findJob(tx, job.job_id)))?.receipt).toEqual([
      { node_id: 'pay', key: 'each[0]/pay', outcome: 'in_doubt' },
      { node_id: 'inner', key: 'inner', outcome: 'in_doubt' },
      { node_id: 'until', key: 'until', outcome: 'stopped' },
      { node_id: 'review', key: 'review', outcome: 'stopped' },
    ])
    const [done, ...others] = await inside(tx => listNodes(tx, job.job_id))
    expect(done).toMatchObject({ key: 'fetched', status: 'completed' })
    for (const node of others) expect(node).toMatchObject({ status: 'cancelled', at: finished_at, finished_at })
  })

  test('a job that never ran is deleted with all of its related rows, and no other rows', async () => {
    const [gone, kept] = [newJob(), newJob()]
    const job = { job_id: gone.job_id, root_job_id: gone.root_job_id, workspace_id: workspace, people: [], rights: [] }
    const payload = { sha256: 'a', bytes: Buffer.from('x') }
    for (const row of [gone, kept]) {
      expect(await inside(tx => insertJob(tx, row))).toBe(true)
      expect(await inside(tx => insertJob(tx, row))).toBe(false)
      await database.db.system(tx => savePayloads(tx, row.job_id, [payload]))
    }
    const milestone = {
      key: 'a',
      node_id: 'a',
      node_type: 'end',
      status: 'running',
      at: '2026-01-01T00:00:00Z',
    } as const
    await createProjections({ db: database.db, signer: createSigner({}) }).applyRecord({
      job,
      nodes: [milestone],
      interventions: [],
    })
    const stranger = (await createPrincipal(database.db)).workspace_id
    await database.db.inWorkspace(stranger, tx => deleteJob(tx, kept.job_id))
    await inside(tx => deleteJob(tx, gone.job_id))
    expect(await inside(tx => findJob(tx, gone.job_id))).toBeUndefined()
    expect(await inside(tx => execute(tx, 'select from job_nodes where job_id = $1', [gone.job_id]))).toBe(0)
    const payloads = (id: string) => database.db.system(tx => readPayloads(tx, id, ['a']))
    expect([(await payloads(gone.job_id)).size, (await payloads(kept.job_id)).size]).toEqual([0, 1])
  })
})

test('payloads are returned byte for byte, and can be saved twice', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256))
  const payloads = [
    { sha256: 'a', bytes },
    { sha256: 'b', bytes: Buffer.alloc(0) },
  ]
  for (let i = 0; i < 2; i++) await database.db.system(tx => savePayloads(tx, 'job', payloads))
  const found = await database.db.system(tx => readPayloads(tx, 'job', ['a', 'b', 'c']))
  expect([...found.keys()].sort()).toEqual(['a', 'b'])
  expect(found.get('a')?.equals(bytes)).toBe(true)
  expect(found.get('b')).toHaveLength(0)
  expect(await database.db.system(tx => readPayloads(tx, 'other', ['a']))).toEqual(new Map())
})

test('a large document is read as stored, even after changes by other processes and failed saves', async () => {
  const id = randomUUID()
  const place = {
    slug: 'large',
    title: 'Large',
    path: '/',
    scope: 'workspace',
    brain_id: null,
    is_active: true,
  } as const
  const save = { author: 'user:ann', author_permissions: [], note: null, delta: null }
  const write = (text: string) => ({ text, filler: 'x'.repeat(100_000) })
  const read = async (tx: Tx) => (await lockResource(tx, { kind: 'skills', idOrSlug: id })) as Resource
  const saveText = async (tx: Tx, text: string) =>
    saveNextVersion(tx, { ...(await read(tx)), document: write(text) }, save)
  const readText = async () => (await inside(read)).document['text' as never]

  await inside(tx => insertResource(tx, { id, kind: 'skills', ...place, document: write('first') }, save))
  expect([await readText(), await readText()]).toEqual(['first', 'first'])
  await inside(tx => saveText(tx, 'second'))
  expect(await readText()).toBe('second')
  const undone = inside(async tx => {
    await saveText(tx, 'undone')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await readText()).toBe('second')
  await inside(tx =>
    execute(tx, 'update resources set document = $2 where id = $1', [id, JSON.stringify(write('third'))]),
  )
  expect(await readText()).toBe('third')
})
