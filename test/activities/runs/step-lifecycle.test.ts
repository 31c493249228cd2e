import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { createProjectionWriter, type ProjectionWriter } from '../../../activities/runs/projection-writer.ts'
import { createStepLifecycle } from '../../../activities/runs/step-lifecycle.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import type { Step } from '../../../activities/runs/step.ts'
import type { StepInput, StepResult } from '../../../activities/types.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import { activityEnvironment } from '../../support/stack/activity-environment.ts'
import { stepInput } from '../../support/runs/step-input.ts'
import { type Harness, startHarness } from '../shared/harness.ts'

let harness: Harness
let writer: ProjectionWriter
let wrap: (step: Step) => (input: StepInput) => Promise<StepResult>

beforeAll(async () => {
  harness = await startHarness()
  writer = createProjectionWriter(harness)
  wrap = createStepLifecycle({ ...harness, writer })
})
afterAll(() => harness.close())

const inputOf = (job: JobRef, more: Partial<StepInput> = {}): StepInput => ({
  ...stepInput({ type: 'http', with: {}, key: 'pay' }),
  job,
  ...more,
})
const done: Step = async () => ({ output: { ok: true } })
const fails =
  (error: unknown): Step =>
  () =>
    Promise.reject(error)

function catchFailure(step: Step): Promise<ApplicationFailure> {
  const work = harness.job().then(job => activityEnvironment().run(wrap(step), inputOf(job)))
  return work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    error => error,
  )
}

const PRECEDING: NodeMilestone[] = [
  {
    key: 'begin',
    node_id: 'begin',
    node_type: 'transform',
    status: 'completed',
    at: '2026-01-01T00:00:00.000Z',
    port: 'default',
  },
]

describe('published events', () => {
  test('include preceding milestones, start and end, in the stream and in Postgres', async () => {
    const job = await harness.job()
    const result = await activityEnvironment().run(wrap(done), inputOf(job, { preceding_milestones: PRECEDING }))
    expect(result).toEqual({ output: { ok: true }, usage: undefined })
    expect(await harness.events(job)).toMatchObject([
      { type: 'node', key: 'begin', status: 'completed', port: 'default', at: PRECEDING[0]?.at },
      { type: 'node', key: 'pay', node_id: 'step', node_type: 'http', status: 'running' },
      { type: 'node', key: 'pay', status: 'completed' },
    ])
    await writer.flush(2_000)
    expect(await harness.nodes(job)).toMatchObject([
      { key: 'begin', status: 'completed' },
      {
        key: 'pay',
        status: 'completed',
        attempt: 1,
        output: { ok: true },
        started_at: expect.any(String),
        finished_at: expect.any(String),
      },
    ])
  })

  test('include run updates once', async () => {
    const job = await harness.job()
    const vote = { action: 'approve' as const, by: 'user:ann', at: '2026-01-01T00:00:00.000Z' }
    const input = inputOf(job, {
      preceding_milestones: PRECEDING,
      run_update: {
        status: 'running',
        current_step: 'pay',
        interventions: [{ change: 'answered', id: 'i-1', node_key: 'review', vote, decided: true }],
      },
    })
    await activityEnvironment().run(wrap(done), input)
    await activityEnvironment({ attempt: 2, heartbeatDetails: 'published' }).run(wrap(done), input)
    const events = await harness.events(job)
    expect(events.filter(({ type }) => type === 'intervention')).toEqual([
      {
        type: 'intervention',
        change: 'answered',
        interventionId: 'i-1',
        key: 'review',
        action: 'approve',
        by: 'user:ann',
        decided: true,
        at: vote.at,
      },
    ])
    expect(events.filter(({ type }) => type === 'status')).toEqual([
      { type: 'status', status: 'running', current_step: 'pay' },
    ])
    expect(events.filter(event => event.type === 'node' && event.key === 'begin')).toHaveLength(1)
    expect(events.filter(event => event.type === 'node' && event.status === 'running')).toHaveLength(2)
    await writer.flush(2_000)
    expect(await harness.record(job)).toMatchObject({ status: 'running', current_step: 'pay' })
  })

  test('include preceding milestones from an attempt whose worker was lost', async () => {
    const job = await harness.job()
    await activityEnvironment({ attempt: 2 }).run(wrap(done), inputOf(job, { preceding_milestones: PRECEDING }))
    expect(await harness.events(job)).toMatchObject([
      { type: 'node', key: 'begin', status: 'completed' },
      { type: 'node', key: 'pay', status: 'running' },
      { type: 'node', key: 'pay', status: 'completed' },
    ])
  })

  test('usage and transcript are written before the activity ends, and counted once per attempt', async () => {
    const job = await harness.job()
    const step = wrap(async () => ({
      output: {},
      usage: { input_tokens: 5, output_tokens: 7, usd: 0 },
      transcript: 'said',
    }))
    await activityEnvironment().run(step, inputOf(job))
    expect(await harness.record(job)).toMatchObject({ usage: { input_tokens: 5, output_tokens: 7 } })
    expect(await harness.nodes(job)).toMatchObject([{ key: 'pay', transcript: 'said' }])
    await activityEnvironment().run(step, inputOf(job))
    expect(await harness.record(job)).toMatchObject({ usage: { input_tokens: 5, output_tokens: 7 } })
  })

  test('a failing attempt publishes no end event, because the run does', async () => {
    const job = await harness.job()
    const failing = wrap(fails(new StepError('HTTP_500', 'no', { retryable: true })))
    await expect(activityEnvironment().run(failing, inputOf(job))).rejects.toThrow('no')
    await harness.publisher.flush()
    expect(await harness.events(job)).toMatchObject([{ type: 'node', status: 'running' }])
  })
})

describe('failures', () => {
  test('use their code as the type, and are not retried if a retry is useless', async () => {
    expect(await catchFailure(fails(new StepError('HTTP_404', 'not there')))).toMatchObject({
      type: 'HTTP_404',
      message: 'not there',
      nonRetryable: true,
    })
    const busy = new StepError('HTTP_503', 'busy', { retryable: true, retryAfterMs: 3_000 })
    expect(await catchFailure(fails(busy))).toMatchObject({
      type: 'HTTP_503',
      nonRetryable: false,
      nextRetryDelay: 3_000,
    })
    expect(await catchFailure(fails(new Unavailable()))).toMatchObject({ type: 'UNAVAILABLE', nonRetryable: false })
  })

  test('of an unexpected kind reveal no internal details', async () => {
    const failure = await catchFailure(fails(new Error('s3cret is away')))
    expect(failure).toMatchObject({ type: 'INTERNAL', nonRetryable: false })
    expect(failure).toBeInstanceOf(ApplicationFailure)
    expect(`${failure.message} ${String(failure.cause)} ${JSON.stringify(failure)}`).not.toContain('s3cret')
  })
})

test('a code or data error is not retried', async () => {
  const failure = await catchFailure(fails(new TypeError('x is not a function')))
  expect(failure).toMatchObject({ type: 'INTERNAL', nonRetryable: true })
})

test('a step sends heartbeats only while it is running', async () => {
  const job = await harness.job()
  const env = activityEnvironment()
  let beats = 0
  const twice = Promise.withResolvers<StepResult>()
  env.on('heartbeat', () => ++beats === 2 && twice.resolve({ output: null }))
  await env.run(
    wrap(() => twice.promise),
    inputOf(job),
  )
  const sent = beats
  await new Promise(resolve => setTimeout(resolve, 1_200))
  expect(beats).toBe(sent)
})

test('an attempt that ends after its time limit publishes no end event', async () => {
  const job = await harness.job()
  const slow: Step = () => sleep(60, { output: 'late' })
  const attempt = activityEnvironment({ startToCloseTimeoutMs: 50 }).run(wrap(slow), inputOf(job))
  await expect(attempt).rejects.toMatchObject({ type: 'TIMEOUT' })
  await writer.flush(2_000)
  expect(await harness.nodes(job)).toMatchObject([{ key: 'pay', status: 'running' }])
  expect((await harness.events(job)).map(({ type }) => type)).toEqual(['node'])
})

test('a cancelled step fails with the cancellation, even if the step throws another error', async () => {
  const job = await harness.job()
  const env = activityEnvironment()
  const step: Step = () =>
    new Promise((_, reject) =>
      env.context.cancellationSignal.addEventListener('abort', () =>
        reject(new StepError('CONNECTION_FAILED', 'aborted')),
      ),
    )
  const work = env.run(wrap(step), inputOf(job))
  setTimeout(() => env.cancel(), 50)
  await expect(work).rejects.toMatchObject({ name: 'CancelledFailure' })
})

describe('while Redis or Postgres is down', () => {
  test('a step still succeeds, without a long delay', async () => {
    const job = await harness.job()
    const { projections, log } = harness
    let away = true
    const applyNodeStart: typeof projections.applyNodeStart = input =>
      away ? refuse() : projections.applyNodeStart(input)
    const late = createProjectionWriter(
      { projections: { ...projections, applyNodeStart }, log },
      { maxWaitMs: 200, retryMs: 50 },
    )
    const mute = { publish: () => undefined, publishNow: refuse }
    const step = createStepLifecycle({ publisher: mute, writer: late, log })(async () => ({
      output: 1,
      transcript: 'x',
    }))
    expect(await activityEnvironment().run(step, inputOf(job))).toEqual({ output: 1 })
    away = false
    await late.flush(2_000)
    expect(await harness.nodes(job)).toMatchObject([{ key: 'pay', transcript: 'x' }])
  })
})

const refuse = () => Promise.reject(new Unavailable())
