import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { SETTINGS } from '../../config/config.ts'

interface Compose {
  services: Record<string, { environment?: Record<string, string | null>; ports?: string[]; command?: string[] }>
}

const compose = load(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8')) as Compose

/** Only migrations connect as the owner. The image has the bundle. */
const NOT_PASSED = new Set(['DATABASE_ADMIN_URL', 'WORKFLOW_BUNDLE', 'WORKFLOW_BUNDLE_CACHE'])

/** The exporter of traces reads it itself. */
const OTHERS = ['OTEL_EXPORTER_OTLP_HEADERS']

test.each(['api', 'worker'])('docker-compose.yml passes all settings to the %s, and no others', service => {
  const passed = Object.keys(compose.services[service]?.environment ?? {})
  const expected = [...SETTINGS.filter(name => !NOT_PASSED.has(name)), ...OTHERS]
  expect(passed.toSorted()).toEqual(expected.toSorted())
})

test('docker-compose.yml publishes the API and the Temporal UI only, at the loopback address', () => {
  const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
    ports.map(port => [name, port]),
  )
  expect(published).toEqual([
    ['temporal-ui', '127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080'],
    ['api', '${API_BIND:-127.0.0.1}:${API_PORT:-8080}:8080'],
  ])
})

test('Redis asks for a password, as Postgres does', () => {
  const { redis, api } = compose.services
  expect(redis?.command?.join(' ')).toContain('--requirepass ${REDIS_PASSWORD:?')
  expect(api?.environment?.['REDIS_URL']).toContain('${REDIS_PASSWORD:?')
})

test('the workflow of CI runs actions by digest, and may only read', () => {
  const { permissions, jobs } = load(
    readFileSync(join(import.meta.dirname, '../../.github/workflows/ci.yml'), 'utf8'),
  ) as { permissions: object; jobs: Record<string, { steps: { uses?: string }[] }> }
  expect(permissions).toEqual({ contents: 'read' })
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(actions).not.toEqual([])
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/)
})

test('no install script runs in the build of the image', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const installs = [...dockerfile.matchAll(/npm (?:ci|install).*/g)].map(([line]) => line)
  expect(installs).not.toEqual([])
  for (const line of installs) expect(line).toContain('--ignore-scripts')
})
