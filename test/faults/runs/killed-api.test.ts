import { Ganglion } from '@ganglion/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody, startHttpServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { post } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { randomDelay } from '../support/random-delay.ts'
import { followThrough, joinTokens } from '../support/follow-through.ts'

const READERS = 5
const WORDS = Array.from({ length: 300 }, (_, i) => `w${i} `)
const REQUESTS = 20
const FORKS = 8
const FOLLOWERS = 50

const context = useFaultContext()

test('streams interrupted when the API is killed are resumed: each event once, in order, to the end', async () => {
  const { client } = context.workspace
  context.model.script({ tokens: WORDS, delay_ms: 30 })
  const jobId = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const readings = Array.from({ length: READERS }, () => followThrough(client, jobId))
  const countChars = () => Math.min(...readings.map(({ events }) => joinTokens(events, 'say').length))
  for (const share of [0.1, 0.4, 0.7]) {
    await waitUntil(() => countChars() > share * WORDS.join('').length)
    await context.stack.killApi()
  }
  await Promise.all(readings.map(({ done }) => done))
  const whole = await readEvents(client, jobId)
  expect(joinTokens(whole, 'say')).toBe(WORDS.join(''))
  expect(whole.at(-1)?.data).toMatchObject({ type: 'complete', result: { text: WORDS.join('') } })
  for (const { events, connections } of readings) {
    expect(connections).toBeGreaterThan(1)
    expect(events).toEqual(whole)
  }
})

test('requests unanswered when the API is killed are repeated with their keys: each starts one run', async () => {
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
  await context.stack.killApi()
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

test('forks unanswered when the API is killed are repeated with their keys: each starts one run, even if the worker is killed', async () => {
  const { client } = context.workspace
  const nodes = [post(context.ledger, 'taken'), post(context.ledger, 'again', '?delay_ms=300')]
  const origin = await startRun(client, pathway(nodes, 'taken > again'))
  await jobWith(client, origin, 'completed')
  const fork = async (key: number) => {
    const headers = { 'Idempotency-Key': `fork-${key}` }
    return client.post<{ job_id: string }>(`/v1/jobs/${origin}/fork`, { from_node: 'again' }, { headers })
  }
  let answers = 0
  const first = Array.from({ length: FORKS }, async (_, key) => {
    await sleep(randomDelay(1_000))
    if (await fork(key).catch(() => undefined)) answers++
  })
  await waitUntil(() => answers >= FORKS / 4)
  await Promise.all([context.stack.killApi(), context.stack.killWorker()])
  await Promise.all(first)

  const again = await Promise.all(Array.from({ length: FORKS }, (_, key) => fork(key)))
  expect(again.map(({ status }) => status)).toEqual(again.map(() => 202))
  const jobIds = new Set(again.map(({ body }) => body.job_id))
  expect(jobIds.size).toBe(FORKS)
  for (const jobId of jobIds) {
    const job = await jobWith(client, jobId)
    expect(job).toMatchObject({ status: 'completed', forked_from: { job_id: origin } })
    expect(job.nodes.find(({ key }) => key === 'taken')).toMatchObject({ origin_job_id: origin })
  }
  const { body } = await client.get<{ forks: { job_id: string }[] }>(`/v1/jobs/${origin}`)
  expect(new Set(body.forks.map(({ job_id }) => job_id))).toEqual(jobIds)
  const effects = context.ledger.effects.filter(({ path }) => path === '/again')
  expect(new Set(effects.map(({ key }) => key))).toEqual(new Set([origin, ...jobIds].map(id => `${id}:again`)))
  expect(effects).toHaveLength(FORKS + 1)
  expect(context.ledger.effects.filter(({ path }) => path === '/taken')).toHaveLength(1)
})

test('50 clients that follow a run see its end despite API restarts, and each event once', async () => {
  const { client, api_key } = context.workspace
  context.model.script({ tokens: WORDS, delay_ms: 30 })
  const jobId = await startRun(client, pathway([{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }]))
  const ganglion = new Ganglion({ baseUrl: `${context.stack.baseUrl}/`, apiKey: api_key })
  let [reconnects, ended] = [0, 0]
  const readings = Array.from({ length: FOLLOWERS }, async () => {
    const events = await Array.fromAsync(ganglion.jobs.run(jobId).stream({ onReconnect: () => void reconnects++ }))
    ended += 1
    return events
  })
  await waitUntil(async () => (await ganglion.jobs.get(jobId)).status === 'running')
  await context.stack.killApi()
  await waitUntil(() => reconnects >= FOLLOWERS)
  expect(ended).toBe(0)
  await context.stack.api.end('SIGTERM')
  await context.stack.restartApi()
  const whole = (await readEvents(client, jobId)).map(({ data }) => data)
  expect(whole.at(-1)).toMatchObject({ type: 'complete', result: { text: WORDS.join('') } })
  for (const events of await Promise.all(readings)) expect(events).toEqual(whole)
  expect(await ganglion.jobs.run(jobId).text()).toBe(WORDS.join(''))
})

test('a client request that was accepted but answered with 503 starts one run', async () => {
  const { baseUrl } = context.stack
  const { api_key, client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', {
    title: 'Answered late',
    definition: pathway([post(context.ledger, 'late')]),
  })
  let requests = 0
  const away = JSON.stringify({ code: 'UNAVAILABLE', message: 'away', retryAfter: 0 })
  const proxy = await startHttpServer((request, response) => {
    void readBody(request).then(async text => {
      const { method = '', url = '', headers } = request
      const [authorization, key] = [String(headers.authorization), String(headers['idempotency-key'])]
      const sent = { authorization, 'idempotency-key': key, 'content-type': 'application/json' }
      const reply = await fetch(`${baseUrl}${url}`, { method, headers: sent, body: text })
      if (++requests === 1) response.writeHead(503).end(away)
      else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
    })
  })
  const run = await new Ganglion({ baseUrl: proxy.url, apiKey: api_key }).pathways.run(body.id)
  await proxy.close()
  expect(requests).toBe(2)
  await new Ganglion({ baseUrl, apiKey: api_key }).jobs.run(run.jobId).result()
  expect((await client.get<{ total: number }>(`/v1/jobs?pathway_id=${body.id}`)).body.total).toBe(1)
  expect(context.ledger.effects.filter(({ path }) => path === '/late')).toHaveLength(1)
})
