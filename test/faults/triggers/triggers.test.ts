import { setTimeout as sleep } from 'node:timers/promises'
import { select } from '../../../data/shared/statements.ts'
import { double, pick } from '../../../data/shared/table.ts'
import { triggerFiringsTable } from '../../../data/triggers/tables.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { pathway } from '../../support/runs/runs.ts'
import { post as effect } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { randomDelay } from '../support/random-delay.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'

/** Each trigger event starts one run, even when processes are killed. `npm run test:triggers` uses higher numbers. */

const { TRIGGER_KILLS = '5', TRIGGER_CROWD = '20', TRIGGER_SPREAD = '1' } = readEnvironment()
const KILLS = Number(TRIGGER_KILLS)
const CROWD = Number(TRIGGER_CROWD)
/** Seconds over which the scheduled times are spread. */
const SPREAD = Number(TRIGGER_SPREAD)
const PAGE = 200
const CROWD_PATIENCE_MS = 300_000

const context = useFaultContext('postgres', 'redis', 'temporal')

/** Creates a pathway whose effect contains the name of the event that started the run. */
async function createPathway(): Promise<string> {
  const call = effect(context.ledger, 'book')
  const definition = pathway([{ ...call, with: { ...call.with, json: { run: '${run.id}', event: '${input.name}' } } }])
  const { body } = await context.workspace.client.post<{ id: string }>('/v1/pathways', { title: 'Book', definition })
  return body.id
}

const createTrigger = async (fields: object): Promise<TriggerView> => {
  const { status, body } = await context.workspace.client.post<TriggerView>('/v1/triggers', {
    title: 'Kept',
    ...fields,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

/** Retries a request until the service is available again. */
const untilAnswered = <T>(work: () => Promise<{ status: number; body: T }>): Promise<T> =>
  waitUntil(async () => {
    const reply = await work().catch(() => undefined)
    return reply !== undefined && reply.status < 500 && { body: reply.body }
  }).then(({ body }) => body)

async function listFirings(id: string): Promise<FiringView[]> {
  const found: FiringView[] = []
  for (let offset = 0; ; offset += PAGE) {
    const path = `/v1/triggers/${id}/runs?limit=${PAGE}&offset=${offset}`
    const { data } = await untilAnswered(() => context.workspace.client.get<{ data: FiringView[] }>(path))
    found.push(...data)
    if (data.length < PAGE) return found
  }
}

/** Counts the ledger's effects by event name. Repeated attempts at the same effect count once. */
function countEffects(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key, body } of context.ledger.effects) {
    const { event } = body as { event: string }
    if (key !== undefined) counts.set(event, (counts.get(event) ?? 0) + 1)
  }
  return counts
}

const isOver = async (jobId: string | null): Promise<boolean> => {
  const job = await untilAnswered(() => context.workspace.client.get<{ status: string }>(`/v1/jobs/${jobId}/status`))
  return job.status === 'completed'
}

const VICTIMS = [
  () => context.stack.killWorker(),
  () => context.stack.killApi(),
  ...(['temporal', 'postgres', 'redis'] as const).map(name => async () => {
    await context.components.kill(name)
    await context.components.startOne(name)
  }),
]

test('each scheduled time and each request starts one run while every process is killed, one after the other', async () => {
  const target = { type: 'pathway', ref: await createPathway() }
  const scheduled = await createTrigger({
    target,
    trigger_type: 'schedule',
    schedule: { interval: { every: 'PT1S' }, overlap: 'allow' },
    input: { name: '${event.scheduled_at}' },
  })
  const manual = await createTrigger({ target, input: { name: '${event.input.name}' } })
  let fired = 0
  const ending = new AbortController()
  const firing = (async () => {
    while (!ending.signal.aborted) {
      const key = `request-${fired++}`
      const input = { name: key }
      const send = () =>
        context.workspace.client.post(
          `/v1/triggers/${manual.id}/fire`,
          { input },
          { headers: { 'Idempotency-Key': key } },
        )
      await untilAnswered(send)
      await sleep(randomDelay(400))
    }
  })()
  await waitUntil(async () => (await listFirings(scheduled.id)).length > 0)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomDelay(1_500))
    await VICTIMS[kill % VICTIMS.length]?.()
  }
  ending.abort()
  await firing
  // Missed times between two others are caught up, in any order.
  const timesOf = async () =>
    (await listFirings(scheduled.id))
      .filter(({ decision }) => decision === 'fired')
      .map(({ event }) => Date.parse(event?.['scheduled_at'] as string))
      .sort((a, b) => a - b)
  const findGaps = (times: number[]) => times.slice(1).filter((time, i) => time - (times[i] ?? 0) !== 1_000)
  const killedAt = Date.now()
  await waitUntil(
    async () => {
      const times = await timesOf()
      return (times.at(-1) ?? 0) > killedAt && findGaps(times).length === 0
    },
    undefined,
    async () => `times are missing before ${JSON.stringify(findGaps(await timesOf()))}`,
  )
  await untilAnswered(() => context.workspace.client.patch(`/v1/triggers/${scheduled.id}`, { paused: true }))
  await sleep(3_000)
  const all = [...(await listFirings(scheduled.id)), ...(await listFirings(manual.id))].filter(
    ({ decision }) => decision === 'fired',
  )
  for (const { job_id } of all) await waitUntil(() => isOver(job_id))

  const names = all.map(({ input }) => (input as { name: string }).name)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(all.map(({ job_id }) => job_id)).size).toBe(all.length)
  const effects = countEffects()
  expect(names.filter(name => effects.get(name) !== 1)).toEqual([])
  expect(effects.size).toBe(names.length)
  expect(names.filter(name => name.startsWith('request-'))).toHaveLength(fired)
  process.stderr.write(`${KILLS} kills: ${all.length - fired} times and ${fired} requests, one run each\n`)
})

test('a scheduled time that is missed before the schedule exists in Temporal fires exactly once', async () => {
  await context.stack.worker.end('SIGKILL')
  const target = { type: 'pathway', ref: await createPathway() }
  const every = { every: 'PT3S' }
  const fields = { trigger_type: 'schedule', schedule: { interval: every, overlap: 'allow' } }
  const { id, updated_at } = await createTrigger({ ...fields, target, input: { name: 'late' } })
  await sleep(3_500)
  await context.stack.restartWorker()
  const first = Math.floor(Date.parse(updated_at) / 3_000 + 1) * 3_000
  const timesOf = async () =>
    (await listFirings(id)).map(({ event }) => Date.parse(event?.['scheduled_at'] as string)).sort((a, b) => a - b)
  const isComplete = (times: number[]) => times.length > 2 && times.every((time, i) => time === first + i * 3_000)
  await waitUntil(async () => isComplete(await timesOf()))
  await context.workspace.client.del(`/v1/triggers/${id}`)
})

/** Returns the calendar spec for a single moment. */
const toCalendar = (at: Date) => ({
  year: at.getUTCFullYear(),
  month: at.getUTCMonth() + 1,
  day_of_month: at.getUTCDate(),
  hour: at.getUTCHours(),
  minute: at.getUTCMinutes(),
  second: at.getUTCSeconds(),
})

test('many schedules that are due at the same moment all fire once', async () => {
  const target = { type: 'pathway', ref: await createPathway() }
  const first = Math.ceil((Date.now() + 10_000 + CROWD * 60) / 1_000) * 1_000
  const createOne = (n: number) => {
    const calendars = [toCalendar(new Date(first + (n % SPREAD) * 1_000))]
    return createTrigger({ target, trigger_type: 'schedule', schedule: { calendars }, input: { name: `crowd-${n}` } })
  }
  const ids: string[] = []
  for (let made = 0; made < CROWD; made += 10) {
    const some = Array.from({ length: Math.min(10, CROWD - made) }, (_, i) => made + i)
    const triggers = await Promise.all(some.map(createOne))
    ids.push(...triggers.map(({ id }) => id))
  }
  const inTime = Date.now() < first
  const count = async () => {
    const found = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      select(
        tx,
        { ...pick(triggerFiringsTable, 'decision'), lag: double() },
        `select decision, extract(epoch from created_at - (event->>'scheduled_at')::timestamptz)::float as lag
           from trigger_firings where trigger_id = any($1::uuid[])`,
        [ids],
      ),
    )
    return found
  }
  await waitUntil(
    async () => (await count()).length >= CROWD,
    CROWD_PATIENCE_MS,
    async () => `${(await count()).length} of ${CROWD} have fired, ${inTime ? 'all' : 'not all'} created in time`,
  )
  const countBooked = () => [...countEffects().keys()].filter(name => name.startsWith('crowd-')).length
  await waitUntil(
    () => countBooked() === CROWD,
    CROWD_PATIENCE_MS,
    () => `${countBooked()} of ${CROWD} runs have had their effect`,
  )
  await sleep(2_000)
  const firings = await count()
  expect(firings).toHaveLength(CROWD)
  expect(firings.every(({ decision }) => decision === 'fired')).toBe(true)
  const effects = countEffects()
  expect(ids.filter((_, n) => effects.get(`crowd-${n}`) !== 1)).toEqual([])
  const lags = firings.map(({ lag }) => lag).sort((a, b) => a - b)
  const [median = 0, last = 0] = [lags[Math.floor(lags.length / 2)], lags.at(-1)]
  process.stderr.write(
    `${CROWD} schedules due within ${SPREAD} s${inTime ? '' : ' (created late)'}: fired after ${median.toFixed(1)} s (median), ${last.toFixed(1)} s (last)\n`,
  )
})
