import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { listenForEvents } from '../../../data/webhooks/event-listener.ts'
import type { WorkspaceEntry } from '../../../domain/runs/job-event-source.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createEventPublishing, type EventPublishing } from '../../../services/webhooks/publish-events.ts'
import { createWakeUp } from '../../../services/shared/wake-up.ts'
import { createResources, type ResourcesService } from '../../../services/resources/resources.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createRules } from '../../../services/resources/rules.ts'
import { createEventPublisher, type PublishEvents } from '../../../streams/event-publisher.ts'
import { createWorkspaceEventSource } from '../../../streams/event-source.ts'
import { type Streams, startStreams } from '../../streams/harness.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { execute } from '../../../data/shared/statements.ts'

/** Covers the outbox in Postgres, its publisher, and the streams in Redis. */

const log = pino({ level: 'silent' })

let database: TestDatabase
let streams: Streams
let resources: ResourcesService
let principal: Principal

beforeAll(async () => {
  ;[database, streams] = await Promise.all([createTestDatabase(), startStreams()])
  const { db } = database
  const idempotencyKeys = createIdempotencyKeys({ hours: 1 })
  resources = createResources({ db, evaluator, rules: createRules(evaluator), idempotencyKeys })
})
afterAll(async () => {
  await streams?.close()
  await database?.drop()
})

const publishToRedis: PublishEvents = events =>
  createEventPublisher(streams.redis, { maxLength: 1_000, ttlSeconds: 60 })(events)

function newPublisher(publish: PublishEvents = publishToRedis): EventPublishing {
  return createEventPublishing({
    db: database.db,
    publish,
    listen: listening => listenForEvents(database.url, listening),
    onTriggerChanges: () => undefined,
    onDeliveries: () => undefined,
    wakeUp: createWakeUp(),
    log,
  })
}

async function publishAll(publishing = newPublisher()): Promise<void> {
  while ((await publishing.publishBatch()) !== 0);
}

/** Starts with an empty outbox and a new workspace. */
beforeEach(async () => {
  await publishAll()
  principal = await createPrincipal(database.db)
})

const createSkill = (title: string) =>
  resources.create(principal, 'skills', { title, document: { instructions: 'Be brief.' } })
const patchSkill = (id: string, n: number) =>
  resources.patch(principal, 'skills', id, { merge: { document: { instructions: `Be ${n}.` } } })

interface Published {
  type: string
  resource: { id: string; version: number }
}

const streamKey = () => `ganglion:workspace:${principal.workspace_id}:events`

async function published(): Promise<Published[]> {
  const entries = await streams.redis.xrange(streamKey(), '-', '+')
  return entries.map(([, [, json]]) => JSON.parse(json ?? '{}') as Published)
}

const listVersions = async (id: string) =>
  (await published()).flatMap(({ resource }) => (resource.id === id ? [resource.version] : []))

test('an event is written together with its change, or not at all', async () => {
  const { db } = database
  await createSkill('Committed')
  const undone = db.inWorkspace(principal.workspace_id, async tx => {
    await execute(tx, `update resources set path = '/elsewhere'`)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await publishAll()
  expect((await published()).map(({ type }) => type)).toEqual(['resource.created'])
})

test('an event is published once if the publisher fails before Redis has stored it', async () => {
  const { id } = await createSkill('Early')
  const failing = newPublisher(() => Promise.reject(new Error('killed')))
  await expect(failing.publishBatch()).rejects.toThrow('killed')
  expect(await published()).toEqual([])
  await publishAll()
  expect(await listVersions(id)).toEqual([1])
})

test('an event is published once if the publisher fails after Redis has stored it', async () => {
  const { id } = await createSkill('Late')
  await patchSkill(id, 2)
  const failing = newPublisher(async events => {
    await publishToRedis(events)
    throw new Error('killed')
  })
  await expect(failing.publishBatch()).rejects.toThrow('killed')
  await patchSkill(id, 3)
  await publishAll()
  expect(await listVersions(id)).toEqual([1, 2, 3])
})

test('several publishers publish every event once, and the events for a resource in order', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => createSkill(`Shared ${n}`)))
  const stop = new AbortController()
  const publishers = [newPublisher(), newPublisher(), newPublisher()]
  const running = publishers.map(publisher => publisher.run(stop.signal))
  await Promise.all(
    made.map(async ({ id }) => {
      for (let version = 2; version <= 12; version++) await patchSkill(id, version)
    }),
  )
  await waitUntil(async () => (await published()).length >= 8 * 12)
  stop.abort()
  await Promise.all(running)
  for (const { id } of made) expect(await listVersions(id)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
})

test('a commit wakes a waiting publisher', async () => {
  const stop = new AbortController()
  let lookedAt = 0
  const publisher = newPublisher(async events => {
    lookedAt++
    await publishToRedis(events)
  })
  const running = publisher.run(stop.signal)
  const { id } = await createSkill('Awaited')
  await waitUntil(async () => (await listVersions(id)).length === 1)
  expect(lookedAt).toBe(1)
  stop.abort()
  await running
})

test('an event without a reader stays in the stream, which has a limited length', async () => {
  const publish = createEventPublisher(streams.redis, { maxLength: 100, ttlSeconds: 60 })
  const event = (n: number) => ({
    workspace_id: principal.workspace_id,
    event: { id: randomUUID(), type: 'resource.created' as const, at: String(n) },
  })
  for (let batch = 0; batch < 5; batch++) await publish(Array.from({ length: 200 }, (_, n) => event(n)))
  expect(await streams.redis.xlen(streamKey())).toBeLessThan(300)
  expect(await streams.redis.ttl(streamKey())).toBeGreaterThan(0)
})

/** Records the resource ids from received events. */
const noteIn = (received: string[]) => ({
  onEvent: (entry: WorkspaceEntry) => {
    received.push((JSON.parse(entry.json) as Published).resource.id)
    return true
  },
  whenDrained: () => Promise.resolve(),
  onGap: async () => void received.push('gap'),
  onCaughtUp: async () => undefined,
  onAlreadyEnded: () => undefined,
})

test('a reader that starts at a position gets the events published since then', async () => {
  const source = createWorkspaceEventSource({ commands: streams.redis, subscriber: streams.subscriber, log })
  await createSkill('Earlier')
  await publishAll()
  const position = await source.readPosition(principal.workspace_id)
  const since = await createSkill('Since')
  await publishAll()
  const received: string[] = []
  const subscription = await source.subscribe(principal.workspace_id, position)
  subscription.start(noteIn(received))
  await waitUntil(async () => received.length > 0)
  expect(received).toEqual([since.id])
  subscription.close()
  source.close()
})

test('a reader gets events that are published while its connection is down', async () => {
  const source = createWorkspaceEventSource({ commands: streams.redis, subscriber: streams.subscriber, log })
  const received: string[] = []
  const subscription = await source.subscribe(principal.workspace_id)
  subscription.start(noteIn(received))
  const before = await createSkill('Before')
  await publishAll()
  await waitUntil(async () => received.length === 1)
  streams.subscriber.disconnect(true)
  const meanwhile = await createSkill('Meanwhile')
  await publishAll()
  await waitUntil(async () => received.length === 2)
  expect(received).toEqual([before.id, meanwhile.id])
  subscription.close()
  source.close()
})
