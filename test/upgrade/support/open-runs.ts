import { randomUUID } from 'node:crypto'
import { countStep } from '../../support/agents/agents.ts'
import type { ModelServer } from '../../support/agents/model-server.ts'
import { type ApiClient, sendUntilTaken } from '../../support/clients/client.ts'
import { answer, asked, askThenEnd, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { readBody, startHttpServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'

/** A run that is open until `finish` continues it. */
export interface OpenRun {
  kind: string
  jobId: string
  /** Continues the run and waits for its end. Throws if the end is not as expected. */
  finish(client: ApiClient): Promise<void>
}

export interface OpenRuns {
  /** Starts one run of each kind, and waits until all of them are open. */
  start(client: ApiClient): Promise<OpenRun[]>
  /** Keys whose effect happened more than once. */
  listRepeatedEffects(): string[]
  close(): Promise<void>
}

/** An endpoint that fails until its path is opened. */
async function startGate() {
  const opened = new Set<string>()
  const requested = new Set<string>()
  const effects: string[] = []
  const server = await startHttpServer((request, response) => {
    void (async () => {
      await readBody(request)
      const path = request.url ?? ''
      requested.add(path)
      const isOpen = opened.has(path)
      if (isOpen) effects.push(path)
      response.writeHead(isOpen ? 200 : 503, { 'content-type': 'application/json' }).end('{"sent":true}')
    })()
  })
  return { url: server.url, opened, requested, effects, close: () => server.close() }
}

/** Enough attempts for an upgrade and a downgrade on a busy machine. */
const RETRIES = { retry: { max_attempts: 100, initial: 'PT1S', max: 'PT20S' } }
const end = (output: unknown) => ({ id: 'z', type: 'end', output })

/** Creates the resources for the runs, with this client. */
export async function prepareOpenRuns(client: ApiClient, workspaceId: string, models: ModelServer): Promise<OpenRuns> {
  const gate = await startGate()
  const create = async (path: string, body: object) => {
    const { status, body: reply } = await sendUntilTaken(() => client.post(path, body))
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`)
  }
  await create('/v1/reflexes', {
    title: 'Writing',
    slug: 'writing',
    source: 'builtin',
    tools: [{ name: 'write_artifact' }],
  })
  await create('/v1/neurons', {
    title: 'Clerk',
    slug: 'clerk',
    neuron_type: 'agent',
    tools: [{ reflex: 'writing', approval: 'always' }],
  })
  await create('/v1/pathways', { title: 'Child', slug: 'child', definition: askThenEnd('child done') })
  models.on(request =>
    countStep(request) === 1
      ? { calls: [{ name: 'write_artifact', args: { title: 'Report', content: 'All is well.' } }] }
      : { tokens: ['Written.'] },
  )

  const expectEnd = async (api: ApiClient, jobId: string, result: unknown) => {
    const job = await jobWith(api, jobId)
    expect([jobId, job.error, job.status, job.result]).toEqual([jobId, job.error, 'completed', result])
  }
  const approve = async (api: ApiClient, jobId: string) => {
    const [question] = await asked(api, jobId)
    const { status, body } = await sendUntilTaken(() =>
      answer(api, workspaceId, jobId, question?.interventionId ?? '', { action: 'approve' }),
    )
    // 202: the answer is stored, and delivered when a worker has time.
    expect([jobId, body, [200, 202].includes(status)]).toEqual([jobId, body, true])
  }
  const resume = async (api: ApiClient, jobId: string, body: object) => {
    await waitUntil(async () => (await api.post(`/v1/jobs/${jobId}/resume`, body)).status === 200)
  }

  const kinds: Record<string, (api: ApiClient) => Promise<OpenRun>> = {
    async approval(api) {
      const jobId = await startRun(api, askThenEnd('approved'))
      await asked(api, jobId)
      return {
        kind: 'approval',
        jobId,
        async finish(later) {
          await approve(later, jobId)
          await expectEnd(later, jobId, 'approved')
        },
      }
    },
    async paused(api) {
      const jobId = await startRun(api, askThenEnd('continued'))
      await asked(api, jobId)
      expect((await sendUntilTaken(() => api.post(`/v1/jobs/${jobId}/pause`))).status).toBe(200)
      return {
        kind: 'paused',
        jobId,
        async finish(later) {
          const job = await sendUntilTaken(() => later.get<{ status: string }>(`/v1/jobs/${jobId}`))
          expect(job).toMatchObject({ status: 200, body: { status: 'paused' } })
          await resume(later, jobId, {})
          await approve(later, jobId)
          await expectEnd(later, jobId, 'continued')
        },
      }
    },
    async event(api) {
      const wait = { id: 'wait', type: 'wait', event: 'signed', timeout: 'PT1H' }
      const jobId = await startRun(api, pathway([wait, end('${nodes.wait.output.event.data}')], 'wait > z'))
      await jobWith(api, jobId, 'waiting')
      return {
        kind: 'event',
        jobId,
        async finish(later) {
          await resume(later, jobId, { event: 'signed', data: 'by Ann' })
          await expectEnd(later, jobId, 'by Ann')
        },
      }
    },
    async timer(api) {
      const jobId = await startRun(
        api,
        pathway([{ id: 'wait', type: 'wait', duration: 'PT30S' }, end('awake')], 'wait > z'),
      )
      await jobWith(api, jobId, 'waiting', 'completed')
      return { kind: 'timer', jobId, finish: later => expectEnd(later, jobId, 'awake') }
    },
    async retry(api) {
      const path = `/${randomUUID()}`
      const call = { id: 'call', type: 'http', with: { method: 'POST', url: gate.url + path, json: {} }, ...RETRIES }
      const jobId = await startRun(api, pathway([call, end('${nodes.call.output.body.sent}')], 'call > z'))
      await waitUntil(() => gate.requested.has(path))
      return {
        kind: 'retry',
        jobId,
        async finish(later) {
          gate.opened.add(path)
          await expectEnd(later, jobId, true)
        },
      }
    },
    async agent(api) {
      const { body } = await api.post<{ job_id: string }>('/v1/neurons/clerk/invoke', {
        message: 'Write the report.',
        stream: true,
      })
      const jobId = body.job_id
      await asked(api, jobId)
      return {
        kind: 'agent',
        jobId,
        async finish(later) {
          await approve(later, jobId)
          const job = await jobWith(later, jobId)
          expect([job.status, JSON.stringify(job.result)]).toEqual(['completed', expect.stringContaining('Written.')])
        },
      }
    },
    async child(api) {
      const jobId = await startRun(
        api,
        pathway([{ id: 'sub', type: 'pathway', ref: 'child', with: {} }, end('${nodes.sub.output}')], 'sub > z'),
      )
      await asked(api, jobId)
      return {
        kind: 'child',
        jobId,
        async finish(later) {
          await approve(later, jobId)
          await expectEnd(later, jobId, 'child done')
        },
      }
    },
  }

  return {
    start: api => Promise.all(Object.values(kinds).map(start => start(api))),
    listRepeatedEffects: () => gate.effects.filter((path, i) => gate.effects.indexOf(path) !== i),
    close: () => gate.close(),
  }
}
