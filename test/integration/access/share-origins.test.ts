import { useAgents } from '../../support/agents/agents.ts'

/** Pages of other sites use a share token only if the token allows their origin. */

const context = useAgents()
const SITE = 'https://www.example.com'
const OTHER = 'https://www.example.org'

const shareDoor = (fields: object = {}) =>
  context.workspace.client.post<{ id: string; share_token: string; details?: { pointer: string }[] }>(
    '/v1/share-tokens',
    { name: 'site', target: { type: 'receptor', id: 'door' }, ...fields },
  )
const invokePath = () => `${context.stack.baseUrl}/v1/public/receptors/${context.workspace.slug}/door/invoke`

/** Sends a message as a page of this origin does. */
const say = (t: string, Origin?: string) =>
  fetch(invokePath(), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(Origin !== undefined && { Origin }) },
    body: JSON.stringify({ t, message: 'hello' }),
  })

beforeAll(async () => {
  await context.neuron({ slug: 'porter' })
  context.plays('hello', { tokens: ['Welcome.'] })
  await context.workspace.client.post('/v1/receptors', {
    slug: 'door',
    title: 'Door',
    target: { type: 'neuron', ref: 'porter' },
  })
})

test('a page of an allowed origin may send messages, and read responses and errors', async () => {
  const { id, share_token } = (await shareDoor({ allowed_origins: [SITE, SITE] })).body
  const { body } = await context.workspace.client.get<{ data: { id: string; allowed_origins: string[] }[] }>(
    '/v1/share-tokens',
  )
  expect(body.data.find(token => token.id === id)?.allowed_origins).toEqual([SITE])
  const accepted = await say(share_token, SITE)
  expect([accepted.status, accepted.headers.get('access-control-allow-origin')]).toEqual([202, '*'])
  const rejected = await say(share_token, OTHER)
  expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([403, '*'])
  expect(await rejected.json()).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining(OTHER) })
})

test('without allowed origins, only pages of the service and other programs may use a token', async () => {
  const { share_token } = (await shareDoor()).body
  const statuses = []
  for (const origin of [SITE, 'null', 'http://127.0.0.1', new URL(context.stack.baseUrl).origin, undefined])
    statuses.push([origin, (await say(share_token, origin)).status])
  expect(statuses.map(([, status]) => status)).toEqual([403, 403, 403, 202, 202])
})

test('preflights of the public routes succeed without credentials', async () => {
  const preflight = await fetch(invokePath(), {
    method: 'OPTIONS',
    headers: { Origin: SITE, 'Access-Control-Request-Method': 'POST' },
  })
  const { headers } = preflight
  expect([preflight.status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
  const hook = await fetch(`${context.stack.baseUrl}/v1/public/hooks/token`, {
    method: 'OPTIONS',
    headers: { Origin: SITE, 'Access-Control-Request-Method': 'POST' },
  })
  expect(hook.headers.get('access-control-allow-origin')).toBeNull()
})

test.each(['www.example.com', 'https://www.example.com/', 'https://*.example.com', 'ftp://example.com', '*'])(
  '%s is not accepted as an origin',
  async origin => {
    const { status, body } = await shareDoor({ allowed_origins: [SITE, origin] })
    expect(status).toBe(400)
    expect(body.details).toEqual([expect.objectContaining({ pointer: '/allowed_origins/1' })])
  },
)
