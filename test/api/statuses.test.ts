import { gzipSync } from 'node:zlib'
import { Unavailable } from '../../domain/shared/errors.ts'
import { type DeclaredOperation, readOperations } from '../support/clients/declared-operations.ts'
import { type AppUnderTest, CONFIG, startApp } from './app-under-test.ts'
import { KEY } from './services.ts'

/** The statuses that result from the steps of a route, provoked on every route. The client checks the responses. */

let app: AppUnderTest
let operations: DeclaredOperation[]

beforeAll(async () => {
  // A workspace may use two thirds of the buffer. A 5 MB text at its limit takes 30 MB as JSON.
  app = await startApp({ config: { ...CONFIG, DOCUMENT_BUFFER_BYTES: 60_000_000 } })
  const { authenticate } = app.access
  app.access.authenticate = async presented => {
    if (presented.token === 'unavailable') throw new Unavailable()
    return authenticate(presented)
  }
  operations = await readOperations(app.client)
})
afterAll(() => app.drain(0))

interface Provocation {
  query?: string
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

const PROVOCATIONS: Record<number, Provocation> = {
  400: { query: 'unknown=1' },
  401: { headers: bearer('wrong') },
  413: { raw: new Uint8Array(gzipSync('x'.repeat(40_000_000))), headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } },
  415: { raw: '<xml/>', headers: { 'Content-Type': 'text/xml' } },
  500: { headers: bearer('broken') },
  503: { headers: bearer('unavailable') },
}

/** Public routes accept the key as a share token. */
function toShareQuery(path: string, headers: Record<string, string> = bearer(KEY)): string {
  if (!path.startsWith('/v1/public/')) return ''
  const token = (headers.Authorization ?? KEY).replace('Bearer ', '')
  return `&${path.endsWith('/stream') ? 'share' : 't'}=${token}`
}

/**
 * Their services check the requests themselves. integration/triggers/hooks.test.ts and
 * integration/channels/slack.test.ts cover the statuses.
 */
const SIGNED = new Set(['POST /v1/public/hooks/{token}', 'POST /v1/public/channels/{workspace_slug}/{name}'])
/** Reads no key; stacks/shared/health.test.ts covers its 503. */
const READY = 'GET /v1/health/ready'

test.each(Object.entries(PROVOCATIONS))(
  '%s is declared by exactly the routes that can return it',
  async (key, sent) => {
    const status = Number(key)
    const { query = '', raw, headers } = sent
    const problems: string[] = []
    for (const { name, method, path, errorStatuses } of operations) {
      if ((raw !== undefined && method === 'GET') || (SIGNED.has(name) && status !== 413)) continue
      if (name === READY && status === 503) continue
      const target = `${path.replaceAll(/\{\w+\}/g, 'r')}?${query}${toShareQuery(path, headers)}`
      const answer = await app.client.call(method, target, undefined, { raw, headers })
      // Without a key, no part of the request can cause a failure in the service.
      const isExpected = errorStatuses.includes(status) && (status !== 500 || errorStatuses.includes(401))
      if ((answer.status === status) !== isExpected) problems.push(`${name}: ${answer.status}`)
    }
    expect(problems).toEqual([])
  },
)
