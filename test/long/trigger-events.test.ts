import { setTimeout as sleep } from 'node:timers/promises'
import { readEnvironment } from '../../config/environment.ts'
import { waitUntil } from '../support/stack/process.ts'
import { pathway } from '../support/runs/runs.ts'
import { useOwnStack } from '../support/stack/use-stack.ts'
import { randomDelay } from '../faults/support/random-delay.ts'
import type { IssuedHookToken } from '../../contract/triggers/hook.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'
import type { TriggerView } from '../../contract/triggers/trigger.ts'

/** `npm run test:triggers` sets a higher number. */
const KILLS = Number(readEnvironment()['TRIGGER_KILLS'] ?? 3)
const DELIVERIES = KILLS * 13
const SKILLS = KILLS * 10
const TIMEOUT_MS = 180_000 + KILLS * 30_000

const context = useOwnStack()
let pathwayId: string

const echo = pathway([{ id: 'done', type: 'end', output: '${input}' }])

beforeAll(async () => {
  const { client } = context.workspace
  pathwayId = (await client.post<{ id: string }>('/v1/pathways', { title: 'Echo', definition: echo })).body.id
})

async function createTrigger(fields: object): Promise<string> {
  const target = { type: 'pathway', ref: pathwayId }
  const { body } = await context.workspace.client.post<TriggerView>('/v1/triggers', {
    title: 'Once',
    target,
    ...fields,
  })
  return body.id
}

const countRuns = async (triggerId: string, query = '') => {
  const { body } = await context.workspace.client.get<{ total: number }>(`/v1/jobs?trigger_id=${triggerId}${query}`)
  return body.total
}

/** Waits until at least this many runs of a trigger have completed. Returns the number of all its runs. */
async function runsOnceCompleted(triggerId: string, count: number): Promise<number> {
  await waitUntil(async () => (await countRuns(triggerId, '&status=completed')) >= count, 120_000)
  return countRuns(triggerId)
}

async function listFirings(triggerId: string): Promise<FiringView[]> {
  const firings: FiringView[] = []
  for (;;) {
    const query = `decision=fired&limit=200&offset=${firings.length}`
    const { body } = await context.workspace.client.get<{ data: FiringView[] }>(
      `/v1/triggers/${triggerId}/runs?${query}`,
    )
    firings.push(...body.data)
    if (body.data.length < 200) return firings
  }
}

/** Sends a delivery until it gets a response, as real senders do. */
async function deliver(url: string, id: string): Promise<string> {
  for (;;) {
    const headers = { 'content-type': 'application/json', 'x-delivery': id }
    const request = { method: 'POST', headers, body: JSON.stringify({ id }), signal: AbortSignal.timeout(10_000) }
    const response = await fetch(url, request).catch(() => undefined)
    const body = (await response?.json().catch(() => undefined)) as { job_id: string } | undefined
    if (response?.status === 202 && body) return body.job_id
    await sleep(randomDelay(200))
  }
}

test(
  'each delivery starts one run even though the API and the worker are killed repeatedly',
  async () => {
    const signature = { scheme: 'none', delivery_id_header: 'x-delivery' }
    const id = await createTrigger({ trigger_type: 'webhook', webhook: { signature, requests_per_minute: 6_000 } })
    const { body } = await context.workspace.client.post<IssuedHookToken>(`/v1/triggers/${id}/rotate-token`)
    const sending = Promise.all(
      Array.from({ length: DELIVERIES }, async (_, n) => {
        await sleep(randomDelay(KILLS * 5_000))
        const url = `${context.stack.baseUrl}/v1/public/hooks/${body.token}`
        const copies = await Promise.all([deliver(url, `d-${n}`), deliver(url, `d-${n}`)])
        return new Set(copies).size
      }),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomDelay(1_000))
      await Promise.all([context.stack.killApi(), kill % 2 === 0 && context.stack.killWorker()])
    }
    expect(await sending).toEqual(Array.from({ length: DELIVERIES }, () => 1))
    expect(await runsOnceCompleted(id, DELIVERIES)).toBe(DELIVERIES)
    const delivered = (await listFirings(id)).map(({ event }) => event?.delivery_id)
    expect(delivered).toHaveLength(DELIVERIES)
    expect(new Set(delivered).size).toBe(DELIVERIES)
  },
  TIMEOUT_MS,
)

test(
  'each event fires once even though the worker is killed repeatedly',
  async () => {
    const event = { types: ['resource.created'], path: '/once' }
    const id = await createTrigger({ trigger_type: 'event', event, input: '${event}' })
    const writing = Promise.all(
      Array.from({ length: SKILLS }, async (_, n) => {
        await sleep(randomDelay(KILLS * 3_000))
        const fields = { title: `Skill ${n}`, path: '/once', instructions: 'One.' }
        return (await context.workspace.client.post<{ id: string }>('/v1/skills', fields)).body.id
      }),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomDelay(1_000))
      await context.stack.killWorker()
    }
    const skills = await writing
    expect(await runsOnceCompleted(id, SKILLS)).toBe(SKILLS)
    const seen = (await listFirings(id)).map(
      ({ event }) => (event as unknown as { resource: { id: string } }).resource.id,
    )
    expect(seen.toSorted()).toEqual(skills.toSorted())
  },
  TIMEOUT_MS,
)
