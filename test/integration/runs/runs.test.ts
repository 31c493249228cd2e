import proto from '@temporalio/proto'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { fetchEvents } from '../../support/runs/describe-run.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const value = (id: string, result: unknown) => ({ id, type: 'transform', with: { value: result } })
const post = (id: string, path = id, more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${path}`, json: { id } },
  ...more,
})

/** Extracts an invoice, asks a person to approve it when it is large, and pays it. */
const invoicePathway = () =>
  pathway(
    [
      {
        id: 'extract',
        type: 'neuron',
        with: {
          instructions: 'Read the invoice.',
          message: '${input.text}',
          schema: {
            type: 'object',
            properties: { total: { type: 'number' }, vendor: { type: 'string' } },
            required: ['total'],
          },
        },
      },
      {
        id: 'big',
        type: 'switch',
        cases: [{ port: 'large', when: 'nodes.extract.output.data.total > 1000' }],
        default: 'small',
      },
      { id: 'review', type: 'human', kind: 'approval', title: 'Pay ${nodes.extract.output.data.total}?', due: 'P2D' },
      post('pay'),
      { id: 'done', type: 'end', output: { paid: '${nodes.pay.output.body.id}', by: '${nodes.review.output.by}' } },
      { id: 'stop', type: 'end', output: { paid: null } },
    ],
    'extract > big',
    'big.large > review',
    'big.small > pay',
    'review.approve > pay',
    'review.reject > stop',
    'review.timeout > stop',
    'pay > done',
  )

describe('a run that extracts, switches, asks for approval and pays', () => {
  let jobId: string
  let question: WaitingFor | undefined
  let reply: Awaited<ReturnType<typeof answer>>
  let job: JobDetail
  let events: Awaited<ReturnType<typeof readEvents>>
  beforeAll(async () => {
    const { client, id } = context.workspace
    jobId = await startRun(client, invoicePathway(), {
      text: 'Vendor: ACME Ltd\nInvoice number: 42\nTotal due: 1,250.00 EUR\n',
    })
    ;[question] = await asked(client, jobId)
    reply = await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve', comment: 'fine' })
    job = await jobWith(client, jobId)
    events = await readEvents(client, jobId)
  })

  test('the approval shows the data that the switch read, and can be answered', () => {
    expect(question).toMatchObject({
      kind: 'approval',
      title: 'Pay 1250?',
      node_id: 'review',
      actions: ['approve', 'reject'],
    })
    expect(reply).toMatchObject({ status: 200, body: { decided: true, by: 'user:ann' } })
  })

  test('the job contains the result and one status for each node', () => {
    expect(jobId).toMatch(/^inline-[0-9a-f-]{36}$/)
    expect(job).toMatchObject({ status: 'completed', result: { by: 'user:ann' }, requester: 'user:ann' })
    expect(job.nodes.map(node => `${node.key} ${node.status}`).sort()).toEqual([
      'big completed',
      'done completed',
      'extract completed',
      'pay completed',
      'review completed',
      'stop skipped',
    ])
  })

  test("the stream contains the model's tokens, and ends with the result", () => {
    expect(events.at(-1)?.data).toEqual({ type: 'complete', result: job.result })
    const tokens = events.flatMap(({ data }) => (data.type === 'token' ? [data.token] : []))
    expect(tokens.length).toBeGreaterThan(3)
    expect(JSON.parse(tokens.join(''))).toMatchObject({ total: 1250 })
  })

  test('the stream resumes after an event', async () => {
    const half = Math.floor(events.length / 2)
    const after = await readEvents(context.workspace.client, jobId, `?after=${events[half]?.id}`)
    expect(after.map(({ id }) => id)).toEqual(events.slice(half + 1).map(({ id }) => id))
  })
})

describe('a run', () => {
  test('that chains transforms returns the last value', async () => {
    const nodes = Array.from({ length: 40 }, (_, i) => value(`n${i}`, i === 0 ? 1 : `\${nodes.n${i - 1}.output + 1}`))
    const lines = nodes.slice(1).map((node, i) => `n${i} > ${node.id}`)
    const job = await jobWith(
      context.workspace.client,
      await startRun(context.workspace.client, pathway(nodes, ...lines)),
    )
    expect(job).toMatchObject({ status: 'completed', result: 40, progress: { done: 40, total: 40 } })
  })

  test('passes large values between nodes by reference and returns its result in full', async () => {
    const text = 'x'.repeat(300_000)
    const job = await jobWith(
      context.workspace.client,
      await startRun(
        context.workspace.client,
        pathway(
          [value('a', '${input.text}'), post('b'), { id: 'z', type: 'end', output: '${nodes.a.output}' }],
          'a > b',
          'b > z',
        ),
        { text },
      ),
    )
    expect(job.result).toBe(text)
    const events = await fetchEvents(job.job_id)
    const [call] = events.flatMap(event => event.activityTaskScheduledEventAttributes ?? [])
    expect(call?.activityType?.name).toBe('http')
    expect(proto.temporal.api.history.v1.History.encode({ events }).finish().length).toBeLessThan(text.length)
  })

  test("with a failing node fails with the node's reason, and compensates completed steps", async () => {
    const definition = pathway(
      [
        post('book', 'book', { compensate: 'unbook' }),
        post('notify', 'notify', { compensate: 'retract' }),
        post('charge', 'charge?status=400&fail=9'),
        post('unbook'),
        post('retract', 'retract?status=400'),
      ],
      'book > notify',
      'notify > charge',
    )
    const job = await jobWith(context.workspace.client, await startRun(context.workspace.client, definition))
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('charge') })
    expect(job.receipt).toMatchObject([
      { key: 'notify', outcome: 'compensation_failed' },
      { key: 'book', outcome: 'compensated' },
    ])
    expect(Object.fromEntries(job.nodes.map(({ key, status }) => [key, status]))).toEqual({
      book: 'compensated',
      notify: 'completed',
      charge: 'failed',
      unbook: 'completed',
      retract: 'failed',
    })
    const events = (await readEvents(context.workspace.client, job.job_id)).map(({ data }) => data)
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'HTTP_400' })
    const nodeEvents = events.flatMap(event => (event.type === 'node' ? [`${event.key} ${event.status}`] : []))
    expect(nodeEvents.slice(-6)).toEqual([
      'charge failed',
      'retract running',
      'retract failed',
      'unbook running',
      'unbook completed',
      'book compensated',
    ])
  })
})
