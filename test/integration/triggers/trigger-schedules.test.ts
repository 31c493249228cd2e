import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, Connection, type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client'
import { buildTriggerScheduleId } from '../../../services/triggers/schedules/options.ts'
import { followEvents } from '../../support/webhooks/events.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'

/** Temporal schedules are kept in sync with triggers, and their times start runs. */

const context = useStack()
let connection: Connection
let temporal: Client
let pathwayId: string

const post = <T>(path: string, body: object) => context.workspace.client.post<T>(path, body)
const hold = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }])

beforeAll(async () => {
  const { env } = context.stack
  connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] })
  temporal = new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] })
  const definition = pathway([{ id: 'done', type: 'end', output: '${input.at}' }])
  pathwayId = (await post<{ id: string }>('/v1/pathways', { title: 'Report', definition })).body.id
})
afterAll(() => connection?.close())

async function createSchedule(schedule: object, fields: object = {}): Promise<TriggerView> {
  const body = {
    title: 'Nightly',
    trigger_type: 'schedule',
    target: { type: 'pathway', ref: pathwayId },
    input: { at: '${event.scheduled_at}' },
    schedule,
    ...fields,
  }
  const reply = await post<TriggerView>('/v1/triggers', body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

const handleOf = (id: string) =>
  temporal.schedule.getHandle(buildTriggerScheduleId({ taskQueue: context.stack.env['TEMPORAL_TASK_QUEUE'] ?? '' }, id))

/** Returns the schedule in Temporal, or null if there is none. */
const findSchedule = (id: string): Promise<ScheduleDescription | null> =>
  handleOf(id)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof ScheduleNotFoundError) return null
      throw error
    })

const untilSchedule = (id: string, fits: (found: ScheduleDescription | null) => boolean) =>
  waitUntil(async () => {
    const found = await findSchedule(id)
    return fits(found) && { found }
  }).then(({ found }) => found)

const listRuns = async (id: string) =>
  (await context.workspace.client.get<{ data: FiringView[] }>(`/v1/triggers/${id}/runs?limit=200`)).body.data

const untilRuns = (id: string, fits: (runs: FiringView[]) => boolean) =>
  waitUntil(async () => {
    const runs = await listRuns(id)
    return fits(runs) && runs
  })

test('each time of a schedule starts one run, with the time in the input', async () => {
  const { id, slug } = await createSchedule({ interval: { every: 'PT2S' }, overlap: 'allow' })
  const runs = await untilRuns(id, found => found.length >= 3)
  await context.workspace.client.del(`/v1/triggers/${id}`)
  const times = runs.map(({ event }) => event?.['scheduled_at'] as string)
  expect(new Set(times).size).toBe(times.length)
  expect(times.every(time => Date.parse(time) % 2_000 === 0)).toBe(true)
  expect(runs.every(({ decision, source }) => decision === 'fired' && source === 'schedule')).toBe(true)
  const job = await jobWith(context.workspace.client, runs[0]?.job_id ?? '')
  expect(job).toMatchObject({ result: times[0], trigger_id: id, requester: `trigger:${slug}`, status: 'completed' })
  const found = await temporal.workflow.getHandle(job.job_id).describe()
  expect(found.searchAttributes['GanglionTrigger']).toEqual([slug])
  await untilSchedule(id, schedule => schedule === null)
})

test('the schedule in Temporal matches the trigger and contains its name', async () => {
  const { client } = context.workspace
  const cron = '30 6 * * MON-FRI'
  const { id, slug, version } = await createSchedule({ cron, time_zone: 'Europe/Berlin' })
  const made = await untilSchedule(id, found => found !== null)
  expect(made?.state).toMatchObject({
    paused: false,
    note: expect.stringContaining(`trigger ${slug}, version ${version}`),
  })
  expect(made?.state.note).toContain(`${cron} (Europe/Berlin)`)
  expect(made?.memo).toMatchObject({ trigger_id: id })
  const preview = (await client.get<{ times: string[] }>(`/v1/triggers/${id}/preview`)).body.times
  expect(preview).toHaveLength(20)
  expect(preview.slice(0, 10)).toEqual(made?.info.nextActionTimes.map(time => time.toISOString()))
  expect((await client.get<TriggerView>(`/v1/triggers/${id}`)).body.next_fire_at).toBe(preview[0])

  const pause = { paused: true, pause_note: 'Holidays' }
  expect(await client.patch(`/v1/triggers/${id}`, pause)).toMatchObject({ status: 200 })
  const paused = await untilSchedule(id, found => found?.state.paused === true)
  expect(paused?.state.note).toContain('paused: Holidays')
  expect((await client.get(`/v1/triggers/${id}`)).body).toMatchObject({ health: 'paused', next_fire_at: null })
  const change = { paused: false, schedule: { cron: '@hourly' } }
  expect(await client.patch(`/v1/triggers/${id}`, change)).toMatchObject({ status: 200 })
  const hourly = await untilSchedule(id, found => found?.state.paused === false)
  expect(hourly?.spec.calendars?.[0]?.comment).toBe('@hourly')
  expect((await client.del(`/v1/triggers/${id}`)).status).toBeLessThan(300)
  await untilSchedule(id, found => found === null)
  expect((await client.post(`/v1/triggers/${id}/restore`, {})).status).toBe(200)
  await untilSchedule(id, found => found !== null)
  await client.del(`/v1/triggers/${id}`)
})

test('a schedule that is changed or deleted in Temporal is repaired', async () => {
  const [changed, deleted] = await Promise.all([1, 2].map(() => createSchedule({ cron: '@yearly' })))
  for (const { id } of [changed, deleted] as TriggerView[]) await untilSchedule(id, found => found !== null)
  await handleOf(changed?.id ?? '').pause('by an operator')
  await handleOf(deleted?.id ?? '').delete()
  const { client } = context.workspace
  const cli = join(import.meta.dirname, '../../../api/admin.ts')
  const env = { ...process.env, ...context.stack.env }
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'triggers', 'repair', '--json'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ written: expect.any(Number), removed: expect.any(Number) })
  await untilSchedule(changed?.id ?? '', found => found?.state.paused === false)
  await untilSchedule(deleted?.id ?? '', found => found !== null)
  for (const { id } of [changed, deleted] as TriggerView[]) await client.del(`/v1/triggers/${id}`)
})

test('scheduled times during an open run are skipped, and a backfill fires each time once', async () => {
  const { client } = context.workspace
  const { body: waiting } = await post<{ id: string }>('/v1/pathways', { title: 'Waits', definition: hold })
  const target = { type: 'pathway', ref: waiting.id }
  const { id } = await createSchedule({ interval: { every: 'PT2S' } }, { target, input: {} })
  const [first] = await untilRuns(id, found => found.length === 1)
  await jobWith(client, first?.job_id ?? '', 'waiting')
  await waitUntil(async () => ((await findSchedule(id))?.info.numActionsSkippedOverlap ?? 0) > 0)
  expect(await listRuns(id)).toHaveLength(1)
  await client.patch(`/v1/triggers/${id}`, { paused: true })
  await client.post(`/v1/jobs/${first?.job_id}/resume`, { event: 'go' })
  await client.del(`/v1/triggers/${id}`)

  const hourly = await createSchedule({ cron: '@hourly', overlap: 'allow' })
  await untilSchedule(hourly.id, found => found !== null)
  const hour = 3_600_000
  const now = Math.floor(Date.now() / hour) * hour
  const period = { from: new Date(now - 4 * hour).toISOString(), to: new Date(now - 2 * hour).toISOString() }
  const at = `/v1/triggers/${hourly.id}/backfill`
  expect(await post(at, period)).toMatchObject({ status: 202, body: { times: 3 } })
  await untilRuns(hourly.id, found => found.length === 3)
  expect(await post(at, { ...period, to: new Date(now - hour).toISOString() })).toMatchObject({ body: { times: 4 } })
  const runs = await untilRuns(hourly.id, found => found.length === 4)
  expect(new Set(runs.map(({ job_id }) => job_id)).size).toBe(4)
  expect((await post(at, { from: period.to, to: period.from })).status).toBe(400)
  await client.del(`/v1/triggers/${hourly.id}`)
})

describe('while a run is open', () => {
  let target: { type: 'pathway'; ref: string }
  beforeAll(async () => {
    const { body } = await post<{ id: string }>('/v1/pathways', { title: 'Holds', definition: hold })
    target = { type: 'pathway', ref: body.id }
  })
  const waiting = { interval: { every: 'PT2S' } }
  const pauseAndDelete = async (id: string) => {
    await context.workspace.client.patch(`/v1/triggers/${id}`, { paused: true })
    await context.workspace.client.del(`/v1/triggers/${id}`)
  }

  test('buffer_one starts one more run when the open run ends', async () => {
    const { client } = context.workspace
    const { id } = await createSchedule({ ...waiting, overlap: 'buffer_one' }, { target, input: {} })
    const [first] = await untilRuns(id, found => found.length === 1)
    await jobWith(client, first?.job_id ?? '', 'waiting')
    await waitUntil(async () => ((await findSchedule(id))?.info.numActionsSkippedOverlap ?? 0) > 0)
    expect(await listRuns(id)).toHaveLength(1)
    await client.post(`/v1/jobs/${first?.job_id}/resume`, { event: 'go' })
    const [second] = await untilRuns(id, found => found.length === 2)
    const [one, two] = [first, second].map(run => Date.parse(run?.event?.['scheduled_at'] as string))
    expect(two).toBe((one ?? 0) + 2_000)
    await pauseAndDelete(id)
    await client.post(`/v1/jobs/${second?.job_id}/cancel`)
  })

  test('a time that has already fired does not block the schedule', async () => {
    const { client } = context.workspace
    const { id } = await createSchedule({ ...waiting, overlap: 'buffer_one' }, { target, input: {} })
    const [first] = await untilRuns(id, found => found.length > 0)
    const at = new Date(first?.event?.['scheduled_at'] as string)
    await handleOf(id).backfill({ start: at, end: at, overlap: 'BUFFER_ALL' })
    await jobWith(client, first?.job_id ?? '', 'waiting')
    expect(await client.post(`/v1/jobs/${first?.job_id}/resume`, { event: 'go' })).toMatchObject({ status: 200 })
    const runs = await untilRuns(id, found => found.length === 2)
    expect(runs[0]?.event?.['scheduled_at']).not.toBe(at.toISOString())
    await pauseAndDelete(id)
    await client.post(`/v1/jobs/${runs[0]?.job_id}/cancel`)
  })

  test('cancel_other cancels the open run', async () => {
    const { client } = context.workspace
    const { id } = await createSchedule({ ...waiting, overlap: 'cancel_other' }, { target, input: {} })
    const runs = await untilRuns(id, found => found.length >= 2)
    const first = runs.at(-1)
    expect(await jobWith(client, first?.job_id ?? '', 'failed')).toMatchObject({ error: { code: 'CANCELLED' } })
    await pauseAndDelete(id)
    await client.post(`/v1/jobs/${runs[0]?.job_id}/cancel`)
  })
})

test('jitter delays a run, and its event contains the scheduled time', async () => {
  const { id } = await createSchedule({ interval: { every: 'PT2S' }, jitter: 'PT2S', overlap: 'allow' })
  const runs = await untilRuns(id, found => found.length >= 3)
  await context.workspace.client.del(`/v1/triggers/${id}`)
  for (const { event } of runs) expect(Date.parse(event?.['scheduled_at'] as string) % 2_000).toBe(0)
  expect(new Set(runs.map(({ event }) => event?.['scheduled_at'])).size).toBe(runs.length)
})

test('a trigger whose target disappears publishes an event', async () => {
  const { client } = context.workspace
  const definition = pathway([{ id: 'done', type: 'end' }])
  const { body } = await post<{ id: string }>('/v1/pathways', { title: 'Leaves', definition })
  const { id } = await createSchedule({ cron: '@daily' }, { target: { type: 'pathway', ref: body.id }, input: {} })
  const reader = await followEvents(client, { types: 'trigger.*' })
  await client.del(`/v1/pathways/${body.id}`)
  const events = await reader.until(({ type }) => type === 'trigger.health_changed')
  expect(events).toContainEqual(
    expect.objectContaining({ trigger: expect.objectContaining({ id, health: 'target_missing' }) }),
  )
  await client.post(`/v1/pathways/${body.id}/restore`, {})
  await reader.until(event => (event as { trigger?: { health: string } }).trigger?.health === 'ok')
  reader.close()
})
