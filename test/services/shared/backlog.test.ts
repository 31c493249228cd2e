import { Client } from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { createBacklogMetrics } from '../../../observability/backlog-metrics.ts'
import { createBacklogReader } from '../../../services/shared/backlog.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { parseMetrics } from '../../support/clients/metrics-text.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(5)
})
afterAll(() => database.drop())

async function whileLocked(work: () => Promise<void>): Promise<void> {
  const owner = new Client({ connectionString: database.adminUrl })
  await owner.connect()
  try {
    await owner.query('begin; lock table search_outbox in access exclusive mode')
    await work()
  } finally {
    await owner.end()
  }
}

test('the gauges have no values while the database is unavailable, and have values again afterwards', async () => {
  const registry = new Registry()
  createBacklogMetrics(registry, createBacklogReader({ db: database.db, log }, { maxAgeMs: 0 }), { hasIndex: true })
  const names = async () => new Set(parseMetrics(await registry.metrics()).map(({ name }) => name))
  const all = ['open_runs', 'open_interventions', 'outbox_rows', 'index_failures'].flatMap(name => [
    `ganglion_${name}`,
    `ganglion_${name}_oldest_age_seconds`,
  ])
  expect(await names()).toEqual(new Set(all))
  await whileLocked(async () => expect(await names()).toEqual(new Set()))
  expect(await names()).toEqual(new Set(all))
})

test('without a search index, there are no gauges for it', async () => {
  const registry = new Registry()
  createBacklogMetrics(registry, createBacklogReader({ db: database.db, log }), { hasIndex: false })
  const series = parseMetrics(await registry.metrics())
  const outboxes = series.filter(({ name }) => name === 'ganglion_outbox_rows').map(({ labels }) => labels['outbox'])
  expect(outboxes).toEqual(['events', 'webhooks'])
  expect(series.filter(({ name }) => name.startsWith('ganglion_index'))).toEqual([])
})
