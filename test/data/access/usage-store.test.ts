import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../data/shared/database.ts'
import { findJob, insertJob } from '../../../data/runs/jobs-store.ts'
import { addUsage } from '../../../data/access/usage-store.ts'
import { createSlots } from '../../../domain/shared/fairness/slots.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const CONNECTIONS = 20

let database: TestDatabase
let workspace_id: string

beforeAll(async () => {
  database = await createTestDatabase(CONNECTIONS)
  workspace_id = (await createPrincipal(database.db)).workspace_id
})
afterAll(() => database.drop())

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.db.inWorkspace(workspace_id, work)
const usageOf = async (jobId: string) => (await inside(tx => findJob(tx, jobId)))?.usage

async function insert(root: string | undefined, parent_job_id: string | undefined): Promise<string> {
  const job_id = `u-${randomUUID()}`
  const row = {
    job_id,
    root_job_id: root ?? job_id,
    parent_job_id,
    parent_key: null,
    brain_id: null,
    title: 'x',
    people: [],
  }
  await inside(tx =>
    insertJob(tx, { ...row, pathway_id: null, pathway_version: null, requester: 'user:ann', rights: [], input: null }),
  )
  return job_id
}

const spent = (key: string, attempt = 1) => ({
  key,
  attempt,
  usage: { input_tokens: 3, output_tokens: 2, usd: 0.1 },
})

test('usage counts once for the job and for each ancestor, but not for its children or siblings', async () => {
  const root = await insert(undefined, undefined)
  const middle = await insert(root, root)
  const [leaf, beside] = [await insert(root, middle), await insert(root, middle)]
  for (let i = 0; i < 2; i++) await inside(tx => addUsage(tx, leaf, spent('a')))
  await inside(tx => addUsage(tx, middle, spent('a')))
  const once = { input_tokens: 3, output_tokens: 2, usd: 0.1 }
  const twice = { input_tokens: 6, output_tokens: 4, usd: 0.2 }
  expect(await Promise.all([leaf, beside, middle, root].map(usageOf))).toEqual([
    once,
    { input_tokens: 0, output_tokens: 0, usd: 0 },
    twice,
    twice,
  ])
})

test('concurrent usage in a tree of runs is counted despite concurrent updates of these runs', async () => {
  const projections = createProjections({ db: database.db, signer: createSigner({}) })
  const root = await insert(undefined, undefined)
  const middles = await Promise.all(Array.from({ length: 3 }, () => insert(root, root)))
  const leaves = await Promise.all(Array.from({ length: 12 }, (_, i) => insert(root, middles[i % 3])))
  const milestone = (key: string) =>
    ({ key, node_id: key, node_type: 'neuron', status: 'completed', at: new Date().toISOString() }) as const
  const ref = (job_id: string) => ({ job_id, root_job_id: root, workspace_id, people: [], rights: [] })
  const rounds = Array.from({ length: 10 }, (_, i) => `step-${i}`)
  const spend = (key: string, job_id: string) =>
    projections.applyNodeCompletion({ job: ref(job_id), milestone: milestone(key), usage: spent(key).usage })
  const tell = (key: string, job_id: string) =>
    projections.applyRecord({ job: ref(job_id), nodes: [milestone(key), milestone('other')], interventions: [] })
  const all = [...leaves, ...middles, root]
  // The number of connections that the database allows one workspace, however long other requests wait.
  const slots = createSlots(CONNECTIONS, 60_000)
  const works = rounds.flatMap(key =>
    all.flatMap((job_id, i): (() => Promise<unknown>)[] => [
      () => spend(key, job_id),
      () => tell(key, all.at(-1 - i) ?? root),
      () => tell(key, root),
    ]),
  )
  await Promise.all(works.map(work => slots.use(workspace_id, work)))
  expect(await usageOf(root)).toEqual({ input_tokens: 480, output_tokens: 320, usd: 16 })
  expect(await usageOf(middles[0] ?? '')).toEqual({ input_tokens: 150, output_tokens: 100, usd: 5 })
  expect(await usageOf(leaves[0] ?? '')).toEqual({ input_tokens: 30, output_tokens: 20, usd: 1 })
})
