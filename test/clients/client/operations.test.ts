import { readFileSync } from 'node:fs'
import { Ganglion } from '@ganglion/client'
import { listOperations, type OpenApiDocument } from '../../../client/generator/document.ts'

const document = JSON.parse(
  readFileSync(new URL('../../../client/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument
const operations = listOperations(document)

type Methods = Record<string, (...args: unknown[]) => unknown>

/** Creates a client that records its requests instead of sending them. */
function createRecorder() {
  const sent: string[] = []
  const send = (url: string, { method }: { method: string }) => {
    sent.push(`${method} ${new URL(url).pathname}`)
    // The client does not request a missing stream again.
    if (url.includes('/stream'))
      return Promise.resolve(Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 }))
    return Promise.resolve(Response.json({ data: [], pagination: { limit: 1, offset: 0, total: 0 } }))
  }
  const client = new Ganglion({ baseUrl: 'http://service', apiKey: 'k', maxRetries: 0, fetch: send as never })
  return { client: client as unknown as Record<string, Methods>, sent }
}

/** The recorder's response is not a stream, so reading it fails. */
const readFirst = (events: AsyncIterable<unknown>) => Array.fromAsync(events).catch(() => undefined)

test('each operation in the document has a client method that sends its request', async () => {
  const { client, sent } = createRecorder()
  expect(operations.length).toBeGreaterThan(140)
  for (const { noun, verb, method, path, pathParameters, takes, answer } of operations) {
    const args = [...pathParameters.map(name => `a ${name}`), ...(takes && answer !== 'stream' ? [{}] : [])]
    const result = client[noun]?.[verb]?.(...args)
    if (answer === 'stream') await readFirst(result as AsyncIterable<unknown>)
    else await result
    expect(sent.pop()).toBe(`${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`a ${name}`))}`)
  }
})

test('the client has no methods for operations that are missing from the document', () => {
  const { client } = createRecorder()
  const known = new Set(operations.map(({ id }) => id))
  const nouns = new Set(operations.map(({ noun }) => noun))
  for (const noun of nouns) {
    // The generated class is directly below the base class.
    let prototype = Object.getPrototypeOf(client[noun]) as object
    while (!Object.getPrototypeOf(prototype).constructor.name.startsWith('Resource'))
      prototype = Object.getPrototypeOf(prototype)
    const verbs = Object.getOwnPropertyNames(prototype).filter(name => name !== 'constructor')
    expect(verbs.filter(verb => !known.has(`${noun}.${verb}`))).toEqual([])
  }
})

test('a response that contains more than list elements is returned completely', () => {
  const answers = new Map(operations.map(({ id, answer }) => [id, answer]))
  expect(['traces.get', 'automations.graph', 'traces.list'].map(id => answers.get(id))).toEqual([
    'call',
    'call',
    'page',
  ])
})
