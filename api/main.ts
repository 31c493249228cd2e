import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { findUnsafeDefaults } from '../config/unsafe-defaults.ts'
import { COMPONENTS } from '../contract/shared/health.ts'
import { createLog } from '../observability/log.ts'
import { openTracing } from '../observability/tracing.ts'
import { reportDatabaseProblems } from '../services/shared/database-problems.ts'
import { readRetentionAge } from '../services/audit/retention/schedule.ts'
import { countStuckRuns } from '../services/runs/status/stuck-runs.ts'
import { createServices, type Clients } from '../services/services.ts'
import { requireMigrated } from '../services/shared/schema.ts'
import { requireWorker } from '../services/shared/task-queue.ts'
import { createEventSource, createWorkspaceEventSource } from '../streams/event-source.ts'
import { createOpenStreams } from '../streams/open-streams.ts'
import { createRateLimiter } from '../streams/rate-limiter.ts'
import { closeRedis, openCounters, openSubscriber, orUnavailable } from '../streams/redis.ts'
import { createApp } from './app.ts'
import { openApiMetrics } from './metrics.ts'
import { buildModelSettings } from './models.ts'
import { httpProbe, modelsProbe } from './probes.ts'
import { createHealth, type Probes } from './routes/shared/health.ts'
import { createApiServer, drain, listen } from './server.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Builds the object graph of the API process and serves until a signal arrives. */
async function main(): Promise<void> {
  const config = readConfig(readEnvironment())
  const log = createLog(config, 'api')
  for (const { setting, message } of findUnsafeDefaults(config)) log.warn({ setting }, message)
  const tracing = openTracing(config, 'api', log)
  const metrics = openApiMetrics(config, log)

  const { clients, services } = createServices(config, log, { observe: metrics?.observeProviderCall })
  const subscriber = openSubscriber(config.REDIS_URL, log, config.REDIS_TLS_CA)
  const counters = openCounters(config.REDIS_URL, log, config.REDIS_TLS_CA)
  const limiter = createRateLimiter(counters)
  const openStreams = createOpenStreams(counters, log)
  const observeLag = metrics?.measureStreams(() => openStreams.countOwn())
  const events = createEventSource({ commands: clients.redis, subscriber, observeLag, log })
  const workspaceEvents = createWorkspaceEventSource({ commands: clients.redis, subscriber, observeLag, log })
  void reportDatabaseProblems({ db: clients.db, log })
  const health = createHealth(createProbes(config, clients))
  const models = buildModelSettings(config, clients.embedder)
  const app = createApp(
    { ...services, ...services.openReceivers(limiter) },
    {
      inRequest: (id, work) => clients.db.inRequest(id, work),
      events,
      workspaceEvents,
      limiter,
      openStreams,
      health,
      models,
      requestMetrics: metrics?.requests,
      isTraced: tracing !== undefined,
      config,
      log,
      version,
    },
  )

  const metricsServer = await metrics?.serve({
    readBacklog: services.readBacklog,
    hasIndex: clients.searchIndex !== undefined,
    measureQueue: () => clients.publisher.measureQueue(),
    readHealth: () => health(COMPONENTS),
    countStuckRuns: () => countStuckRuns(clients.temporal),
    readRetentionAge: () => readRetentionAge(clients.temporal),
  })
  const server = createApiServer(app, config.MAX_CONNECTIONS)
  const port = await listen(server, config.PORT, config.HOST)
  log.info({ host: config.HOST, port, version }, 'API is listening')
  // Load the model early, so that the first search doesn't wait for it. The health check reports failures.
  void clients.embedder.ready().catch(() => undefined)

  await untilSignal()
  log.info('API is stopping')
  app.markStopping()
  await sleep(config.SHUTDOWN_DELAY_SECONDS * 1_000)
  app.closeStreams()
  await drain(server, config.SHUTDOWN_SECONDS * 1_000)
  await clients.publisher.flush()
  events.close()
  workspaceEvents.close()
  openStreams.close()
  await Promise.allSettled([
    closeRedis(subscriber),
    closeRedis(counters),
    clients.close(),
    metricsServer?.close(),
    tracing?.close(),
  ])
  log.info('API has stopped')
}

function createProbes(config: Config, { db, redis, temporal, searchIndex, embedder }: Clients): Probes {
  const { SPEECH_URL, MODEL_BASE_URL } = config
  return {
    postgres: () => db.ping(),
    migrations: () => requireMigrated(db),
    redis: async () => void (await orUnavailable(redis.ping())),
    temporal: () => temporal.ping(),
    worker: () => requireWorker(temporal),
    elasticsearch: searchIndex ? () => searchIndex.ping() : null,
    search_index: searchIndex
      ? async () => {
          await Promise.all([searchIndex.requireReady(), searchIndex.versions.requireReady()])
        }
      : null,
    speech: SPEECH_URL ? httpProbe(SPEECH_URL) : null,
    models: modelsProbe(embedder, MODEL_BASE_URL),
  }
}

const untilSignal = () =>
  new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })

await main()
process.exit(0)
