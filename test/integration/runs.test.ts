import { answer, asked, eventsOf, jobWith, pathway, startRun } from '../support/runs.ts'
import { useStack } from '../support/use-stack.ts'

const place = useStack()

const value = (id: string, result: unknown) => ({ id, type: 'transform', with: { value: result } })
const post = (id: string, path = id, more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${place.ledger.url}/${path}`, json: { id } },
  ...more,
})

describe('a run from end to end', () => {
  test('extract, switch, approval, payment, result', async () => {
    const definition = pathway(
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
    const text = 'Vendor: ACME Ltd\nInvoice number: 42\nTotal due: 1,250.00 EUR\n'
    const jobId = await startRun(place.home.client, definition, { text })
    expect(jobId).toMatch(/^inline-[0-9a-f-]{36}$/)
    const [question] = await asked(place.home.client, jobId)
    expect(question).toMatchObject({
      kind: 'approval',
      title: 'Pay 1250?',
      node_id: 'review',
      actions: ['approve', 'reject'],
    })
    const reply = await answer(place.home.client, place.home.id, jobId, question?.interventionId ?? '', {
      action: 'approve',
      comment: 'fine',
    })
    expect(reply).toMatchObject({ status: 200, body: { decided: true, by: 'user:ann' } })
    const job = await jobWith(place.home.client, jobId)
    expect(job).toMatchObject({ status: 'completed', result: { by: 'user:ann' }, requester: 'user:ann' })
    expect(job.nodes.map(node => `${node.key} ${node.status}`).sort()).toEqual([
      'big completed',
      'done completed',
      'extract completed',
      'pay completed',
      'review completed',
      'stop skipped',
    ])
    const events = await eventsOf(place.home.client, jobId)
    expect(events.at(-1)?.data).toEqual({ type: 'complete', result: job.result })
    const tokens = events.flatMap(({ data }) => (data.type === 'token' ? [data.token] : []))
    expect(tokens.length).toBeGreaterThan(3)
    expect(JSON.parse(tokens.join(''))).toMatchObject({ total: 1250 })
    const half = events[Math.floor(events.length / 2)]
    expect((await eventsOf(place.home.client, jobId, `?after=${half?.id}`)).map(({ id }) => id)).toEqual(
      events.slice(events.indexOf(half!) + 1).map(({ id }) => id),
    )
  })

  test('a chain of transforms over HTTP', async () => {
    const nodes = Array.from({ length: 40 }, (_, i) => value(`n${i}`, i === 0 ? 1 : `\${nodes.n${i - 1}.output + 1}`))
    const lines = nodes.slice(1).map((node, i) => `n${i} > ${node.id}`)
    const job = await jobWith(place.home.client, await startRun(place.home.client, pathway(nodes, ...lines)))
    expect(job).toMatchObject({ status: 'completed', result: 40, progress: { done: 40, total: 40 } })
  })

  test('large values pass between nodes by reference, and the result is whole', async () => {
    const text = 'x'.repeat(300_000)
    const job = await jobWith(
      place.home.client,
      await startRun(
        place.home.client,
        pathway(
          [value('a', '${input.text}'), post('b'), { id: 'z', type: 'end', output: '${nodes.a.output}' }],
          'a > b',
          'b > z',
        ),
        { text },
      ),
    )
    expect(job.result).toBe(text)
  })

  test('a failing node fails the run with its reason; compensation undoes what was done', async () => {
    const definition = pathway(
      [post('book', 'book', { compensate: 'unbook' }), post('charge', 'charge?status=400&fail=9'), post('unbook')],
      'book > charge',
    )
    const job = await jobWith(place.home.client, await startRun(place.home.client, definition))
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('charge') })
    expect(job.receipt).toEqual([{ node_id: 'book', key: 'book', outcome: 'compensated' }])
    expect((await eventsOf(place.home.client, job.job_id)).at(-1)?.data).toMatchObject({
      type: 'error',
      code: 'HTTP_400',
    })
  })
})
