import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import type { AppDeps } from '../../api/deps.ts'
import { buildOpenApiDocument, type OpenApiDocument } from '../../api/openapi/document.ts'
import type { Route } from '../../api/routing/route.ts'
import { readConfig } from '../../config/config.ts'

/** Required settings. Nothing connects to the addresses in them. */
const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  TEMPORAL_ADDRESS: 'localhost:7233',
  API_KEY_SECRET: 'none'.repeat(8),
}

/** Stands in for every service, because route declarations don't call any. */
const none: never = new Proxy(() => none, { get: () => none }) as never

/** The routes that the API serves with default settings, and their OpenAPI document. */
export interface ServedApi {
  routes: readonly Route[]
  document: OpenApiDocument
}

/** Builds the API with default settings, without any running component. */
export function buildServedApi(): ServedApi {
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
  return { routes: app.routes, document: buildOpenApiDocument(app.routes, { version }) }
}
