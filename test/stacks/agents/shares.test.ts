import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'
import type { ApiClient } from '../../support/clients/client.ts'
import { fetchEvents } from '../../support/runs/describe-run.ts'
import { startHttpServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { startStack, type Stack, type TestWorkspace } from '../../support/stack/stack.ts'

/** The number of activities that a worker can run at once. One workspace gets half of them. */
const ACTIVITIES = 20
const CALLS = 30

let stack: Stack
let busy: TestWorkspace
let other: TestWorkspace
beforeAll(async () => {
  stack = await startStack({ env: { WORKER_ACTIVITIES: String(ACTIVITIES), WORKER_WORKFLOW_TASKS: '4' } })
  ;[busy, other] = await Promise.all([stack.workspace(), stack.workspace()])
})
afterAll(() => stack?.stop())

const list = (length: number) => Array.from({ length }, (_, i) => i)
/** Returns the paths for this many calls, in text order. */
const pathsOf = (calls: number) =>
  list(calls)
    .map(i => `/${i}`)
    .toSorted()

/** Starts an endpoint that holds its callers until it is released, and counts calls by their body. */
async function startGate() {
  const calls: string[] = []
  const releases: (() => void)[] = []
  let isOpen = false
  const answerHeld = () => {
    for (const answer of releases.splice(0)) answer()
  }
  const server = await startHttpServer((request, response) => {
    calls.push(request.url ?? '')
    const answer = () => void response.end('{}')
    if (isOpen) answer()
    else releases.push(answer)
  })
  return {
    ...server,
    calls,
    held: () => releases.length,
    answerHeld,
    open() {
      isOpen = true
      answerHeld()
    },
  }
}

const callNode = (url: string) => ({ id: 'call', type: 'http', with: { method: 'POST', url, json: {} } })

type Gate = Awaited<ReturnType<typeof startGate>>

/** Starts concurrent calls to the gate. Resolves when the gate holds the workspace's maximum. */
async function startCalls(gate: Gate): Promise<string> {
  const body = { nodes: [callNode(`${gate.url}/\${item}`)], edges: [] }
  const each = { id: 'each', type: 'map', items: list(CALLS), concurrency: CALLS, body }
  const jobId = await startRun(busy.client, pathway([each]))
  await waitUntil(() => gate.held() === ACTIVITIES / 2)
  return jobId
}

/** Counts a run's activities that the worker refused because the workspace had used up its share. */
const countRefused = async (jobId: string): Promise<number> =>
  (await fetchEvents(jobId)).filter(({ activityTaskFailedEventAttributes: failed }) => failed).length

describe('calls that hang', () => {
  test('leave slots to another workspace, and no waiting call is lost or made twice', async () => {
    const gate = await startGate()
    try {
      const jobId = await startCalls(gate)

      const direct = await startHttpServer((_request, response) => void response.end('{}'))
      const foreign = await startRun(other.client, pathway([callNode(direct.url)]))
      expect(await jobWith(other.client, foreign)).toMatchObject({ status: 'completed' })
      await direct.close()
      expect(gate.held()).toBe(ACTIVITIES / 2)

      gate.open()
      expect(await jobWith(busy.client, jobId)).toMatchObject({ status: 'completed' })
      expect(gate.calls.toSorted()).toEqual(pathsOf(CALLS))
    } finally {
      await gate.close()
    }
  })

  test('that are waiting for a slot end immediately when their run is cancelled', async () => {
    const gate = await startGate()
    try {
      const jobId = await startCalls(gate)
      await busy.client.post(`/v1/jobs/${jobId}/cancel`)
      expect(await jobWith(busy.client, jobId)).toMatchObject({
        status: 'failed',
        failedReason: 'cancelled by key:test',
      })
      expect(gate.calls).toHaveLength(ACTIVITIES / 2)
    } finally {
      await gate.close()
    }
  })

  test('that got a slot after other calls finished stop when their run is cancelled', async () => {
    const gate = await startGate()
    try {
      const jobId = await startCalls(gate)
      await waitUntil(async () => (await countRefused(jobId)) >= CALLS - ACTIVITIES / 2)
      gate.answerHeld()
      await waitUntil(() => gate.held() === ACTIVITIES / 2)
      await busy.client.post(`/v1/jobs/${jobId}/cancel`)
      const { status, failedReason, receipt } = await jobWith(busy.client, jobId)
      expect({ status, failedReason }).toEqual({ status: 'failed', failedReason: 'cancelled by key:test' })
      const inDoubt = receipt?.filter(({ outcome }) => outcome === 'in_doubt') ?? []
      expect(inDoubt.length).toBeGreaterThanOrEqual(ACTIVITIES / 2)
      expect(await replayRuns([jobId])).toEqual([])
    } finally {
      await gate.close()
    }
  })
})

describe('a run with many child runs', () => {
  const WIDTH = 12

  async function storeTree(client: ApiClient): Promise<void> {
    const each = (ref: string) => ({
      id: 'each',
      type: 'map',
      items: list(WIDTH),
      concurrency: WIDTH,
      body: { nodes: [{ id: 'child', type: 'pathway', ref, with: {} }], edges: [] },
    })
    for (const [slug, node] of [
      ['leaf', { id: 'a', type: 'transform', with: { value: 1 } }],
      ['branch', each('leaf')],
      ['tree', each('branch')],
    ] as const) {
      const { status } = await client.post('/v1/pathways', { title: slug, slug, definition: pathway([node]) })
      expect(status).toBe(201)
    }
  }

  test('lets a run in another workspace take its turn', async () => {
    await storeTree(busy.client)
    const { body } = await busy.client.post<{ job_id: string }>('/v1/pathways/tree/execute', { input: {} })
    const ended: string[] = []
    const storm = jobWith(busy.client, body.job_id).then(job => {
      ended.push('the tree')
      return job
    })
    await waitUntil(async () => (await countRuns(busy)) > WIDTH)
    for (const name of ['first', 'second', 'third']) {
      const jobId = await startRun(other.client, pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]))
      await jobWith(other.client, jobId)
      ended.push(name)
    }
    expect(await storm).toMatchObject({ status: 'completed' })
    expect(ended).toEqual(['first', 'second', 'third', 'the tree'])
    expect(await countRuns(busy)).toBeGreaterThanOrEqual(1 + WIDTH + WIDTH * WIDTH)
  })

  const countRuns = async ({ client }: TestWorkspace) =>
    (await client.get<{ total: number }>('/v1/jobs?limit=1')).body.total
})

describe('the steps of a workspace on a fully loaded machine', () => {
  const STEPS = 60
  let wide: Stack
  const spinners: ChildProcess[] = []
  beforeAll(async () => {
    wide = await startStack()
    for (let n = 0; n < availableParallelism(); n++) {
      const spinner = spawn(process.execPath, ['-e', 'for (;;);'])
      setPriority(spinner.pid ?? 0, 19)
      spinners.push(spinner)
    }
  })
  afterAll(async () => {
    for (const spinner of spinners) spinner.kill()
    await wide?.stop()
  })

  test('keep their position when they are refused, so that each one is refused at most once and executed once', async () => {
    const [crowd, neighbor] = await Promise.all([wide.workspace(), wide.workspace()])
    const gate = await startGate()
    gate.open()
    try {
      const say = pathway([callNode(`${gate.url}/neighbor`)])
      await jobWith(neighbor.client, await startRun(neighbor.client, say))
      const body = { nodes: [callNode(`${gate.url}/\${item}`)], edges: [] }
      const each = { id: 'each', type: 'map', items: list(STEPS), concurrency: STEPS, body }
      const playCrowd = async (): Promise<string> => {
        const called = gate.calls.length
        const jobId = await startRun(crowd.client, pathway([each]))
        const over = new AbortController()
        const ended = jobWith(crowd.client, jobId).finally(() => over.abort())
        while (!over.signal.aborted) await jobWith(neighbor.client, await startRun(neighbor.client, say))
        expect(await ended).toMatchObject({ status: 'completed' })
        const calls = gate.calls.slice(called).filter(url => url !== '/neighbor')
        expect(calls.toSorted()).toEqual(pathsOf(STEPS))
        return jobId
      }
      let jobId = await playCrowd()
      // On a busy machine, the steps may arrive too slowly for a refusal.
      for (let more = 4; more > 0 && (await countRefused(jobId)) === 0; more--) jobId = await playCrowd()
      expect(await countRefused(jobId)).toBeGreaterThan(0)
      const ids = (await fetchEvents(jobId)).map(event => event.activityTaskScheduledEventAttributes?.activityId)
      expect(ids.filter(id => id?.endsWith('#3'))).toEqual([])
      expect(await replayRuns([jobId])).toEqual([])
    } finally {
      await gate.close()
    }
  })
})
