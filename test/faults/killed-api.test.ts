import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../support/process.ts'
import { eventsOf, jobWith, pathway, startRun } from '../support/runs.ts'
import { post } from './effects.ts'
import { useFaultContext } from './fault-context.ts'
import { randomDelay } from './random-delay.ts'
import { followThrough, textOf } from './follow-through.ts'

const READERS = 5
const WORDS = Array.from({ length: 300 }, (_, i) => `w${i} `)
const REQUESTS = 20

const context = useFaultContext()

async function killApi(): Promise<void> {
  await context.stack.api.end('SIGKILL')
  await context.stack.restartApi()
}

test('streams cut off by a killed API are resumed: each event once, in order, to the end', async () => {
  const { client } = context.workspace
  context.model.script({ tokens: WORDS, delay_ms: 30 })
  const jobId = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const readings = Array.from({ length: READERS }, () => followThrough(client, jobId))
  const said = () => Math.min(...readings.map(({ events }) => textOf(events, 'say').length))
  for (const share of [0.1, 0.4, 0.7]) {
    await waitUntil(() => said() > share * WORDS.join('').length)
    await killApi()
  }
  await Promise.all(readings.map(({ done }) => done))
  const whole = await eventsOf(client, jobId)
  expect(textOf(whole, 'say')).toBe(WORDS.join(''))
  expect(whole.at(-1)?.data).toMatchObject({ type: 'complete', result: { text: WORDS.join('') } })
  for (const { events, connections } of readings) {
    expect(connections).toBeGreaterThan(1)
    expect(events).toEqual(whole)
  }
})

test('requests that a killed API did not answer are sent again under their keys: each starts one run', async () => {
  const { client } = context.workspace
  const definition = pathway([post(context.ledger, 'accepted')])
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Accepted', definition })
  const execute = async (key: number) => {
    const headers = { 'Idempotency-Key': `request-${key}` }
    return client.post<{ job_id: string }>(`/v1/pathways/${body.id}/execute`, { input: key }, { headers })
  }
  let answers = 0
  const first = Array.from({ length: REQUESTS }, async (_, key) => {
    await sleep(randomDelay(1_000))
    const reply = await execute(key).catch(() => undefined)
    if (reply) answers++
    return reply?.body.job_id
  })
  await waitUntil(() => answers >= REQUESTS / 4)
  await killApi()
  const answered = await Promise.all(first)
  expect(answered).toContain(undefined)
  expect(answered.filter(Boolean)).not.toEqual([])

  const again = await Promise.all(Array.from({ length: REQUESTS }, (_, key) => execute(key)))
  expect(again.map(({ status }) => status)).toEqual(again.map(() => 202))
  const jobIds = again.map(reply => reply.body.job_id)
  for (const [key, jobId] of answered.entries()) if (jobId) expect(jobIds[key]).toBe(jobId)
  expect(new Set(jobIds).size).toBe(REQUESTS)
  for (const jobId of jobIds) expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed' })
  const jobs = await client.get<{ total: number }>(`/v1/jobs?pathway_id=${body.id}`)
  expect(jobs.body.total).toBe(REQUESTS)
  const effects = context.ledger.effects.filter(({ path }) => path === '/accepted')
  expect(new Set(effects.map(({ key }) => key))).toEqual(new Set(jobIds.map(jobId => `${jobId}:accepted`)))
  expect(effects).toHaveLength(REQUESTS)
})
