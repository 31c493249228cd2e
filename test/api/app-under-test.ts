import { pino } from 'pino'
import { createHealth } from '../../api/routes/shared/health.ts'
import { createApp } from '../../api/app.ts'
import type { ApiServices, AppDeps } from '../../api/deps.ts'
import type { Route } from '../../api/routing/route.ts'
import { createApiServer, drain, listen } from '../../api/server.ts'
import { createClient } from '../support/clients/client.ts'
import type { ApiClient } from '../support/clients/client.ts'
import {
  anyStreams,
  KEY,
  memoryAccess,
  memoryJobs,
  memoryPlans,
  memoryUsage,
  unlimited,
  unreachable,
} from './services.ts'
import type { MemoryAccess, MemoryJobs } from './services.ts'

export interface AppUnderTest {
  url: string
  client: ApiClient
  jobs: MemoryJobs
  access: MemoryAccess
  config: AppDeps['config']
  /** The parsed log lines. */
  lines: Record<string, unknown>[]
  routes: Route[]
  markStopping(): void
  closeStreams(): void
  drain(deadlineMs: number): Promise<void>
}

export const ok = () => Promise.resolve()

export const CONFIG: AppDeps['config'] & { SPEECH_MODEL: string; SPEECH_USD_PER_MINUTE: number } = {
  ADDRESS_REQUESTS_PER_MINUTE: 1_000_000,
  API_KEY_SECRET: 'a secret of the tests, thirty-two characters and more',
  AUDIO_MAX_BYTES: 1_000_000,
  AUDIO_MAX_SECONDS: 3_600,
  BODY_LIMIT_BYTES: 65_536,
  CORS_ORIGINS: [],
  DOCUMENT_BUFFER_BYTES: 6_000_000,
  DOCUMENT_MAX_BYTES: 1_000_000,
  FILE_MAX_BYTES: 1_000_000,
  IDEMPOTENCY_HOURS: 24,
  MAX_CONNECTIONS: 100,
  STREAM_MAX_LENGTH: 10_000,
  STREAM_TTL_SECONDS: 60,
  STREAM_PING_SECONDS: 1,
  SPEECH_MODEL: 'whisper-1',
  SPEECH_USD_PER_MINUTE: 0,
  TRUSTED_PROXIES: [] as string[],
}

/** Starts the HTTP side on its own port, with in-memory services and a test event feed. */
export async function startApp(given: Partial<ApiServices & AppDeps> = {}): Promise<AppUnderTest> {
  const lines: Record<string, unknown>[] = []
  const jobs = memoryJobs()
  const access = memoryAccess()
  const services = new Proxy(
    { access, jobs, plans: memoryPlans, usage: memoryUsage, ...given },
    { get: (all, name) => (name in all ? all[name as keyof typeof all] : unreachable(String(name))) },
  )
  const app = createApp(services as ApiServices, {
    inRequest: (_id, work) => work(),
    limiter: unlimited,
    openStreams: anyStreams,
    events: { subscribe: () => Promise.reject(new Error('this test has no feed')) },
    workspaceEvents: {
      subscribe: () => Promise.reject(new Error('this test has no feed')),
      readPosition: () => Promise.reject(new Error('this test has no feed')),
    },
    health: createHealth({
      postgres: ok,
      migrations: ok,
      redis: ok,
      temporal: ok,
      worker: ok,
      elasticsearch: null,
      search_index: null,
      speech: null,
      models: ok,
    }),
    models: { models: [], embedding: null, transcription: null },
    config: CONFIG,
    log: pino({ level: 'debug' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
    version: '0.0.0',
    ...given,
  })
  const config = given.config ?? CONFIG
  const server = createApiServer(app, config.MAX_CONNECTIONS)
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  return {
    url,
    config,
    access,
    jobs,
    lines,
    client: createClient(url, KEY),
    routes: app.routes,
    markStopping: () => app.markStopping(),
    closeStreams: () => app.closeStreams(),
    drain: ms => {
      app.closeStreams()
      return drain(server, ms)
    },
  }
}
