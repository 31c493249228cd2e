import { rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { post } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { followThrough, type SeenEvent, joinTokens } from '../support/follow-through.ts'

const WORDS = Array.from({ length: 150 }, (_, i) => `w${i} `)

const context = useFaultContext('redis')

async function flushAll(): Promise<void> {
  const redis = new Redis(context.stack.env.REDIS_URL ?? '')
  await redis.flushall()
  await redis.quit()
}

/** Restarts Redis without its data. */
async function loseData(): Promise<void> {
  await context.components.kill('redis')
  await rm(context.components.dataOf('redis'), { recursive: true })
  await context.components.startOne('redis')
}

const types = (events: SeenEvent[]) => events.map(({ data }) => data.type)
const speaking = () =>
  pathway([post(context.ledger, 'before'), { id: 'say', type: 'neuron', with: { message: 'Speak.' } }], 'before > say')

test('for an ended run, the stream gets the outcome from the record', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, speaking())
  const { result } = await jobWith(client, jobId)
  const before = await readEvents(client, jobId)
  await flushAll()
  for (const after of ['', `?after=${before[2]?.id}`]) {
    const events = await readEvents(client, jobId, after)
    expect(types(events)[0]).toBe('gap')
    expect(events.at(-1)?.data).toEqual({ type: 'complete', result })
    expect(joinTokens(events, 'say')).toBe('Hello there.')
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ type: 'node', key: 'before', status: 'completed' }),
    )
  }
})

test.each([
  ['FLUSHALL', flushAll],
  ['a restart without data', loseData],
])('a run in progress, after %s, sends a gap event, the known state, then live events to the end', async (_, lose) => {
  const { client } = context.workspace
  context.model.script({ tokens: WORDS, delay_ms: 60 })
  const jobId = await startRun(client, speaking())
  const live = followThrough(client, jobId)
  await waitUntil(() => joinTokens(live.events, 'say') !== '')
  const known = live.events.at(-1)?.id ?? ''
  await lose()
  await waitUntil(() => (live.events.at(-1)?.id ?? '') !== known)
  const fresh = followThrough(client, jobId)
  const resumed = followThrough(client, jobId, known)
  await Promise.all([live.done, fresh.done, resumed.done])
  for (const { events } of [live, fresh, resumed]) {
    expect(events.at(-1)?.data).toMatchObject({ type: 'complete', result: { text: WORDS.join('') } })
  }
  for (const { events } of [fresh, resumed]) {
    const order = types(events)
    expect(order[0]).toBe('gap')
    expect(order.filter(type => type === 'token').length).toBeGreaterThan(1)
    expect(WORDS.join('').endsWith(joinTokens(events, 'say'))).toBe(true)
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ type: 'node', key: 'before', status: 'completed' }),
    )
  }
  // A reader that stayed connected may have missed nothing. Otherwise it got a gap event.
  expect(types(live.events).includes('gap') || joinTokens(live.events, 'say') === WORDS.join('')).toBe(true)
})
