import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { openDatabase } from '../data/database.ts'
import { createAccess } from '../services/access/access.ts'
import { createDiscovery } from '../services/discovery/discovery.ts'
import { createDocuments } from '../services/documents/documents.ts'
import { createIdempotencyKeys } from '../services/idempotency.ts'
import { createJobs } from '../services/jobs/jobs.ts'
import { createJobStarter } from '../services/jobs/job-starter.ts'
import { createWaitForResult } from '../services/jobs/wait-for-result.ts'
import { createChat } from '../services/conversations/chat.ts'
import { createConversations } from '../services/conversations/conversations.ts'
import { createTraces } from '../services/conversations/traces.ts'
import { createProduct } from '../services/products/product.ts'
import { createReceptors } from '../services/receptors/receptors.ts'
import { createNeurons } from '../services/neurons/neurons.ts'
import { createMeetings } from '../services/meetings/meetings.ts'
import { createPathways } from '../services/pathways/pathways.ts'
import { pathwayRule } from '../services/pathways/rule.ts'
import { createRecollections } from '../services/recollections/recollections.ts'
import { createReflexes } from '../services/reflexes/reflexes.ts'
import { reflexRule } from '../services/reflexes/rule.ts'
import { openDocumentValidator } from '../services/resources/document-validator.ts'
import { createResources } from '../services/resources/resources.ts'
import { createDataConverter } from '../services/payloads.ts'
import { openEmbedder, type Embedder } from '../search/embedding/embedder.ts'
import { openConfiguredSearch, type Search } from '../search/search.ts'
import { createSearchJobs } from '../services/search/search-jobs.ts'
import { createSearchService } from '../services/search/search.ts'
import { createTools } from '../services/tools/tools.ts'
import { createTranscriptionService } from '../services/transcription/transcription.ts'
import { createEmbeddingLedger } from '../services/usage/embedding-ledger.ts'
import { createUsage } from '../services/usage/usage.ts'
import { requireWorker } from '../services/task-queue.ts'
import { openTemporal } from '../services/temporal.ts'
import { createJobPublisher } from '../streams/job-publisher.ts'
import { createEventSource } from '../streams/event-source.ts'
import { orUnavailable, closeRedis, openCommands, openSubscriber } from '../streams/redis.ts'
import { createApp } from './app.ts'
import { buildModelSettings } from './models.ts'
import { httpProbe, modelsProbe } from './probes.ts'
import type { Probes } from './routes/service/health.ts'
import { createApiServer, drain, listen } from './server.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Builds the object graph of the API process and serves until a signal comes. */
async function main(): Promise<void> {
  const config = readConfig(readEnvironment())
  const log = pino({ level: config.LOG_LEVEL, base: { process: 'api' } })

  const db = openDatabase(config)
  const commands = openCommands(config.REDIS_URL, log)
  const subscriber = openSubscriber(config.REDIS_URL, log)
  const temporal = openTemporal(config, { dataConverter: createDataConverter(db, config) })
  const { STREAM_MAX_LENGTH: maxLength, STREAM_TTL_SECONDS: ttlSeconds } = config
  const publisher = createJobPublisher(commands, { maxLength, ttlSeconds, log })
  const embedder = openEmbedder(config)
  const search = openConfiguredSearch(config, embedder)
  const events = createEventSource({ commands, subscriber, log })

  const idempotencyKeys = createIdempotencyKeys({ hours: config.IDEMPOTENCY_HOURS })
  const jobStarter = createJobStarter({ db, temporal, publisher, idempotencyKeys })
  const validator = openDocumentValidator()
  const resources = createResources({
    db,
    checks: { validator, rules: { pathways: pathwayRule, reflexes: reflexRule } },
    idempotencyKeys,
  })
  const jobs = createJobs({ db, temporal, jobStarter, idempotencyKeys })
  const noteEmbedding = createEmbeddingLedger({ db, model: embedder.model, config, log })
  const searching = createSearchService(search, noteEmbedding)
  const waitForResult = createWaitForResult({ db, temporal })
  const conversations = createConversations({ jobStarter, waitForResult })
  const receptors = createReceptors({ db, resources, conversations })
  const app = createApp({
    access: createAccess({ db, secret: config.API_KEY_SECRET }),
    discovery: createDiscovery({ db }),
    jobs,
    neurons: createNeurons({ resources, jobStarter }),
    receptors,
    skills: createProduct(resources, 'skills'),
    conversations,
    chat: createChat({ db, conversations, receptors }),
    traces: createTraces({ db }),
    usage: createUsage({ db }),
    recollections: createRecollections({ db, resources, search: searching }),
    pathways: createPathways({ db, resources }),
    resources,
    documents: createDocuments({ db, resources, jobStarter, idempotencyKeys, config }),
    search: searching,
    searchJobs: createSearchJobs(jobStarter),
    reflexes: createReflexes({ resources, jobStarter }),
    tools: createTools({ db, jobStarter, jobs, temporal }),
    transcription: createTranscriptionService({ jobStarter, config }),
    meetings: createMeetings({ db, temporal, jobStarter, publisher, jobs, resources, config }),
    events,
    probes: createProbes(
      config,
      { search, embedder },
      {
        postgres: () => db.ping(),
        redis: async () => void (await orUnavailable(commands.ping())),
        temporal: () => temporal.ping(),
        worker: () => requireWorker(temporal),
      },
    ),
    models: buildModelSettings(config, embedder),
    config,
    log,
    version,
  })

  const server = createApiServer(app.handler)
  const port = await listen(server, config.PORT, config.HOST)
  log.info({ host: config.HOST, port, version }, 'the API is listening')
  // So that the first search need not wait for the model; whether it works, health says.
  void embedder.ready().catch(() => undefined)

  await untilSignal()
  log.info('the API is stopping')
  app.closeStreams()
  await drain(server, config.SHUTDOWN_SECONDS * 1_000)
  await publisher.flush()
  events.close()
  await Promise.allSettled([
    closeRedis(commands),
    closeRedis(subscriber),
    temporal.close(),
    db.close(),
    search?.close(),
    embedder.close(),
    validator.close(),
  ])
  log.info('the API has stopped')
}

function createProbes(
  config: Config,
  { search, embedder }: { search: Search | undefined; embedder: Embedder },
  own: Pick<Probes, 'postgres' | 'redis' | 'temporal' | 'worker'>,
): Probes {
  const { SPEECH_URL, MODEL_BASE_URL } = config
  return {
    ...own,
    elasticsearch: search ? () => search.ping() : null,
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
