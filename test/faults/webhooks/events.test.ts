import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as Verifier } from 'standardwebhooks'
import { listChanges, followEvents } from '../../support/webhooks/events.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../../support/webhooks/webhook-endpoint.ts'
import { randomDelay } from '../support/random-delay.ts'
import type { WebhookWithSecret } from '../../../contract/webhooks/webhook.ts'

const SKILLS = 12
const VERSIONS = 15
const KILLS = 4

const context = useOwnStack()
let endpoint: WebhookEndpoint

beforeAll(async () => {
  endpoint = await startWebhookEndpoint()
})
afterAll(() => endpoint?.close())

test('a worker that is killed repeatedly announces and delivers every change once, in order', async () => {
  const { client } = context.workspace
  const { body: webhook } = await client.post<WebhookWithSecret>('/v1/webhooks', {
    url: `${endpoint.url}/hook`,
    event_types: ['resource.updated'],
  })
  const reader = await followEvents(client, { types: 'resource.created,resource.updated' })
  const ids = await Promise.all(
    Array.from({ length: SKILLS }, async (_, n) => {
      const { body } = await client.post<{ id: string }>('/v1/skills', { title: `Skill ${n}`, instructions: 'One.' })
      return body.id
    }),
  )
  const writing = Promise.all(
    ids.map(async id => {
      for (let version = 2; version <= VERSIONS; version++) {
        await client.patch(`/v1/skills/${id}`, { instructions: `Version ${version}.` })
        await sleep(randomDelay(500))
      }
    }),
  )
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomDelay(500))
    await context.stack.killWorker()
  }
  await writing
  for (const id of ids)
    await reader.until(
      ({ type, resource }) => type === 'resource.updated' && resource?.id === id && resource.version === VERSIONS,
    )
  for (const id of ids) {
    expect(listChanges(reader.events, id)).toEqual([
      'resource.created',
      ...Array.from({ length: VERSIONS - 1 }, () => 'resource.updated'),
    ])
    const versions = reader.events.flatMap(({ resource }) => (resource?.id === id ? [resource.version] : []))
    expect(versions).toEqual(Array.from({ length: VERSIONS }, (_, n) => n + 1))
  }
  reader.close()
  const expected = SKILLS * (VERSIONS - 1)
  // A delivery that is interrupted by a kill may arrive twice, with the same id.
  const delivered = () => new Set(endpoint.received.map(({ headers }) => headers['webhook-id']))
  await waitUntil(() => delivered().size >= expected)
  expect(delivered().size).toBe(expected)
  for (const { body, headers } of endpoint.received)
    expect(() => new Verifier(webhook.secret).verify(body, headers)).not.toThrow()
})
