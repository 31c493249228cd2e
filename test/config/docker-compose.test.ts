import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { SETTINGS } from '../../config/config.ts'

interface Compose {
  services: Record<string, { environment?: Record<string, string | null> }>
}

const compose = load(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8')) as Compose

/** Only migrations connect as the owner. The image has the model and the bundle. */
const NOT_PASSED = new Set(['DATABASE_ADMIN_URL', 'EMBEDDING_MODEL_DIR', 'WORKFLOW_BUNDLE', 'WORKFLOW_BUNDLE_CACHE'])

/** The exporter of traces reads it itself. */
const OTHERS = ['OTEL_EXPORTER_OTLP_HEADERS']

test.each(['api', 'worker'])('docker-compose.yml passes all settings to the %s, and no others', service => {
  const passed = Object.keys(compose.services[service]?.environment ?? {})
  const expected = [...SETTINGS.filter(name => !NOT_PASSED.has(name)), ...OTHERS]
  expect(passed.toSorted()).toEqual(expected.toSorted())
})
