import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { SETTINGS } from '../../config/config.ts'

interface Compose {
  services: Record<string, { environment?: Record<string, string | null>; ports?: string[]; command?: string[] }>
}

const compose = load(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8')) as Compose

/** Only migrations connect as the database owner. The bundle is part of the image. */
const NOT_PASSED = new Set(['DATABASE_ADMIN_URL', 'WORKFLOW_BUNDLE', 'WORKFLOW_BUNDLE_CACHE'])

/** The trace exporter reads these settings itself. */
const OTHERS = ['OTEL_EXPORTER_OTLP_HEADERS']

test.each(['api', 'worker'])('docker-compose.yml passes exactly the settings that the %s reads', service => {
  const passed = Object.keys(compose.services[service]?.environment ?? {})
  const expected = [...SETTINGS.filter(name => !NOT_PASSED.has(name)), ...OTHERS]
  expect(passed.toSorted()).toEqual(expected.toSorted())
})

test('docker-compose.yml publishes only the API and the Temporal UI, on loopback', () => {
  const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
    ports.map(port => [name, port]),
  )
  expect(published).toEqual([
    ['temporal-ui', '127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080'],
    ['api', '${API_BIND:-127.0.0.1}:${API_PORT:-8080}:8080'],
  ])
})

test('Redis requires a password, like Postgres', () => {
  const { redis, api } = compose.services
  expect(redis?.command?.join(' ')).toContain('--requirepass ${REDIS_PASSWORD:?')
  expect(api?.environment?.['REDIS_URL']).toContain('${REDIS_PASSWORD:?')
})

test('the CI workflow pins actions by digest and grants read-only permissions', () => {
  const { permissions, jobs } = load(
    readFileSync(join(import.meta.dirname, '../../.github/workflows/ci.yml'), 'utf8'),
  ) as { permissions: object; jobs: Record<string, { steps: { uses?: string }[] }> }
  expect(permissions).toEqual({ contents: 'read' })
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(actions).not.toEqual([])
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/)
})

test('no install script runs during the image build', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const installs = [...dockerfile.matchAll(/npm (?:ci|install).*/g)].map(([line]) => line)
  expect(installs).not.toEqual([])
  for (const line of installs) expect(line).toContain('--ignore-scripts')
})
