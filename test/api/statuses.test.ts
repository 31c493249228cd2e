import { gzipSync } from 'node:zlib'
import { Unavailable } from '../../domain/shared/errors.ts'
import { type DeclaredOperation, readOperations } from '../support/clients/declared-operations.ts'
import { type AppUnderTest, CONFIG, startApp } from './app-under-test.ts'
import { KEY } from './services.ts'

/** The statuses that follow from the steps of a route, provoked on every route. Responses are checked by the client. */

let app: AppUnderTest
let operations: DeclaredOperation[]

beforeAll(async () => {
  // A workspace may hold two thirds of it, and the JSON of a text of 5 MB at its limit has 30 MB.
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

/** Public routes take the key as a share token. */
function toShareQuery(path: string, headers: Record<string, string> = bearer(KEY)): string {
  if (!path.startsWith('/v1/public/')) return ''
  const token = (headers.Authorization ?? KEY).replace('Bearer ', '')
  return `&${path.endsWith('/stream') ? 'share' : 't'}=${token}`
}

/** What its service checks by itself: integration/hooks.test.ts has these statuses. */
const HOOK = 'POST /v1/public/hooks/{token}'

test.each(Object.entries(PROVOCATIONS))(
  '%s is declared by exactly the routes that respond with it',
  async (key, sent) => {
    const status = Number(key)
    const { query = '', raw, headers } = sent
    const problems: string[] = []
    for (const { name, method, path, errorStatuses } of operations) {
      if ((raw !== undefined && method === 'GET') || (name === HOOK && status !== 413)) continue
      const target = `${path.replaceAll(/\{\w+\}/g, 'r')}?${query}${toShareQuery(path, headers)}`
      const answer = await app.client.call(method, target, undefined, { raw, headers })
      // Without a key, nothing of a request can fail in the service.
      const isExpected = errorStatuses.includes(status) && (status !== 500 || errorStatuses.includes(401))
      if ((answer.status === status) !== isExpected) problems.push(`${name}: ${answer.status}`)
    }
    expect(problems).toEqual([])
  },
)
