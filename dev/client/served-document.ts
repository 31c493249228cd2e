import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import type { AppDeps } from '../../api/deps.ts'
import { buildOpenApiDocument, type OpenApiDocument } from '../../api/openapi/document.ts'
import { readConfig } from '../../config/config.ts'

/** What the configuration cannot be without. Nothing connects to these. */
const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  TEMPORAL_ADDRESS: 'localhost:7233',
  API_KEY_SECRET: 'none'.repeat(8),
}

/** Stands for every service: the declarations of the routes call none. */
const none: never = new Proxy(() => none, { get: () => none }) as never

/** Builds the OpenAPI document that the API serves with the default settings, without any component. */
export function buildServedDocument(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const partialDeps: Partial<AppDeps> = {
    config: readConfig(REQUIRED),
    log: pino({ level: 'silent' }),
    version,
    isTraced: false,
  }
  const deps = new Proxy(partialDeps, {
    get: (target, name) => (name in target ? target[name as keyof AppDeps] : none),
  })
  const app = createApp(none, deps as AppDeps)
  app.closeStreams()
  return buildOpenApiDocument(app.routes, { version })
}
