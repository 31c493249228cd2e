import { createServer, type AddressInfo, type Server } from 'node:net'
import { Ganglion, RunFailedError, type JobEvent } from '@ganglion/client'

/** A recorded run stream with comments, pings, a multi-byte character, and one restarted attempt. */
const RECORDED: [id: string, event: JobEvent][] = [
  ['1-0', { type: 'status', status: 'running' }],
  ['1-1', { type: 'token', token: 'wrong', key: 'a', node_id: 'a' }],
  ['2-0', { type: 'attempt_reset', key: 'a', node_id: 'a', attempt: 2 }],
  ['2-1', { type: 'token', token: 'Grüße ', key: 'a', node_id: 'a' }],
  ['2-2', { type: 'token', token: '🙂', key: 'a', node_id: 'a' }],
  ['3-0', { type: 'complete', result: { paid: true } }],
]

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'

const STATUS = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\n\r\n{"status":"completed"}'

const encode = (entries: [string, JobEvent][]) =>
  Buffer.from(
    `: open\n\n${entries.map(([id, event], i) => `${i === 2 ? ': ping\n\n' : ''}id: ${id}\ndata: ${JSON.stringify(event)}\n\n`).join('')}`,
  )

/** Serves a stream. The first connection for each job breaks after as many bytes as its id specifies. */
async function startStream(cut: 'reset' | 'end', entries = RECORDED) {
  const connections = new Map<string, number>()
  const server: Server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', request => {
      if (String(request).includes('/status ')) {
        socket.end(STATUS)
        return
      }
      const [, job = '', after] = /^GET \/v1\/jobs\/([\w-]+)\/stream(?:\?after=([\d-]+))?/.exec(String(request)) ?? []
      const count = (connections.get(job) ?? 0) + 1
      connections.set(job, count)
      const rest = after ? entries.slice(entries.findIndex(([id]) => id === after) + 1) : entries
      const body = encode(rest)
      const isCut = count === 1
      const bytes = isCut ? body.subarray(0, Number(job.split('-').at(-1))) : body
      // A body shorter than its declared length is a broken connection. A body without a length ends cleanly.
      const length = cut === 'reset' ? `content-length: ${body.length}\r\n` : ''
      socket.write(`${HEAD}${length}connection: close\r\n\r\n`)
      socket.end(bytes)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    client: new Ganglion({ baseUrl, apiKey: 'k' }),
    connections,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

// The delay before a reconnect is random. This sets it to zero.
const random = Math.random
beforeAll(() => void (Math.random = () => -1))
afterAll(() => void (Math.random = random))

describe.each(['reset', 'end'] as const)('a stream with a broken connection (%s)', cut => {
  test('returns the same events once each, wherever the connection breaks', async () => {
    const stream = await startStream(cut)
    const { length } = encode(RECORDED)
    const cuts = Array.from({ length: length + 1 }, (_, byte) => byte)
    for (let first = 0; first < cuts.length; first += 40)
      await Promise.all(
        cuts.slice(first, first + 40).map(async byte => {
          const reader = stream.client.jobs.run(`job-${byte}`).stream()
          expect(await Array.fromAsync(reader)).toEqual(RECORDED.map(([, event]) => event))
          expect(reader.lastEventId).toBe('3-0')
        }),
      )
    expect(stream.connections.get('job-0')).toBe(2)
    expect(stream.connections.get(`job-${length}`)).toBe(1)
    // The stream is complete except for the final blank line.
    expect(stream.connections.get(`job-${length - 2}`)).toBe(cut === 'end' ? 1 : 2)
    await stream.close()
  })
})

test('a run returns its result, and its text without the text of restarted attempts', async () => {
  const stream = await startStream('end')
  const run = stream.client.jobs.run('job-9999')
  expect(await run.text()).toBe('Grüße 🙂')
  expect(await run.result()).toEqual({ paid: true })
  await stream.close()
})

test('the position of a reader is the last event that it returned', async () => {
  const stream = await startStream('end')
  const reader = stream.client.jobs.run('job-9999').stream()
  const positions: (string | undefined)[] = []
  for await (const _ of reader) positions.push(reader.lastEventId)
  expect(positions).toEqual(RECORDED.map(([id]) => id))
  await stream.close()
})

test('a failed run throws an error with its code', async () => {
  const stream = await startStream('end', [['1-0', { type: 'error', code: 'NODE_FAILED', message: 'no' }]])
  const failure = await stream.client.jobs
    .run('job-9999')
    .result()
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RunFailedError)
  expect(failure).toMatchObject({ jobId: 'job-9999', code: 'NODE_FAILED' })
  await stream.close()
})

test('a snapshot interrupted by a broken connection is read again from its gap', async () => {
  const snapshot: [string, JobEvent][] = [
    ['5-0', { type: 'gap', message: 'gone' }],
    ['5-0', { type: 'token', token: 'all', key: 'a', node_id: 'a' }],
    ['5-0', { type: 'status', status: 'running' }],
    ['6-0', { type: 'complete', result: null }],
  ]
  const stream = await startStream('reset', snapshot)
  const half = encode(snapshot.slice(0, 2)).length
  const events = await Array.fromAsync(stream.client.jobs.run(`job-${half}`).stream())
  expect(events.map(({ type }) => type)).toEqual(['gap', 'token', 'gap', 'token', 'status', 'complete'])
  expect(await stream.client.jobs.run(`again-${half}`).text()).toBe('all')
  await stream.close()
})

test('when the reader leaves a stream, the connection closes', async () => {
  const stream = await startStream('end')
  for await (const event of stream.client.jobs.run('job-9999').stream()) if (event.type === 'token') break
  await stream.close()
})

test('a reader that starts after the last event of an ended run gets no events', async () => {
  const stream = await startStream('end')
  expect(await Array.fromAsync(stream.client.jobs.run('job-9999').stream({ after: '3-0' }))).toEqual([])
  expect(stream.connections.get('job-9999')).toBe(2)
  await stream.close()
})
