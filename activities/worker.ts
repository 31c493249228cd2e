import { pino } from 'pino'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { openDatabase } from '../data/database.ts'
import { openEmbedder } from '../search/embedding/embedder.ts'
import { openConfiguredSearch } from '../search/search.ts'
import { createIndexing } from '../services/indexing/indexing.ts'
import { createIdempotencyKeys } from '../services/idempotency.ts'
import { findJobIdByRun } from '../services/jobs/find-by-run.ts'
import { createStatusReader } from '../services/jobs/status.ts'
import { createChildRunFactory } from '../services/neurons/child-runs.ts'
import { openTemporal } from '../services/temporal.ts'
import { pathwayRule } from '../services/pathways/rule.ts'
import { createDataConverter } from '../services/payloads.ts'
import { createRecollections } from '../services/recollections/recollections.ts'
import { createProjections } from '../services/projections.ts'
import { reflexRule } from '../services/reflexes/rule.ts'
import { openDocumentValidator } from '../services/resources/document-validator.ts'
import { createResources } from '../services/resources/resources.ts'
import { createSearchService } from '../services/search/search.ts'
import { createEmbeddingLedger } from '../services/usage/embedding-ledger.ts'
import { createJobPublisher } from '../streams/job-publisher.ts'
import { closeRedis, openCommands } from '../streams/redis.ts'
import { loadWorkflowBundle } from '../workflows/bundle.ts'
import { createRunScopedTools } from './agent/run-scoped-tools.ts'
import { createRunSpecs } from './agent/run-specs.ts'
import { createExtractor } from './documents/extract/extractor.ts'
import { toExtractLimits } from './documents/extract-limits.ts'
import { createActivities } from './index.ts'
import { createModels } from './models/models.ts'
import { createProjectionWriter } from './projection-writer.ts'
import { createOutbound } from './outbound/client.ts'
import { pollUntil } from './process/polling.ts'
import { installTemporalLog } from './process/temporal-log.ts'
import { createSecrets } from './secrets/secrets.ts'
import { createBuiltins } from './tools/builtin/builtin.ts'
import { createToolExecutor } from './tools/tool-executor.ts'
import { openSpeechService } from './speech/service.ts'
import { createSplitter } from './speech/split/splitter.ts'
import { createTranscription } from './speech/transcription.ts'

/** The worker process. It runs workflows, activities and the indexer until it receives SIGINT or SIGTERM. */
const config = readConfig(readEnvironment())
const log = pino({ level: config.LOG_LEVEL, base: { process: 'worker' } })
installTemporalLog(log, runId => findJobIdByRun(temporal, runId))

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

/** Limit for writing the last events and projections at shutdown. */
const FLUSH_MS = 2_000
const timeoutMs = config.OUTBOUND_TIMEOUT_SECONDS * 1_000

const db = openDatabase(config)
const redis = openCommands(config.REDIS_URL, log)
const publisher = createJobPublisher(redis, {
  maxLength: config.STREAM_MAX_LENGTH,
  ttlSeconds: config.STREAM_TTL_SECONDS,
  log,
})
const projections = createProjections({ db })
const writer = createProjectionWriter({ projections, log })
const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, timeoutMs, maxBytes: config.OUTBOUND_MAX_BYTES })
const models = createModels(config)
const extractor = createExtractor({ limits: toExtractLimits(config), log })
const speech = openSpeechService(config)
const splitter = createSplitter({ maxSeconds: config.AUDIO_MAX_SECONDS, log })
const { SPEECH_USD_PER_MINUTE: usdPerMinute, SPEECH_CONCURRENCY: concurrency } = config
const embedder = openEmbedder(config)
const search = openConfiguredSearch(config, embedder)
const dataConverter = createDataConverter(db, config)
const temporal = openTemporal(config, { dataConverter })
const noteEmbedding = createEmbeddingLedger({ db, model: embedder.model, config, log })
const searching = createSearchService(search, noteEmbedding)
const idempotencyKeys = createIdempotencyKeys({ hours: config.IDEMPOTENCY_HOURS })
const validator = openDocumentValidator()
const rules = { pathways: pathwayRule, reflexes: reflexRule }
const resources = createResources({ db, checks: { validator, rules }, idempotencyKeys })
const secrets = createSecrets({ db, secrets: config.SECRETS, allow: config.OUTBOUND_ALLOW })
const builtins = createBuiltins({ db, resources, search: searching, outbound, extractor, idempotencyKeys })
const recollections = createRecollections({ db, resources, search: searching })
const toolExecutor = createToolExecutor({ db, outbound, secrets, builtins, config })
const indexing = search && createIndexing({ db, search, embedder, noteEmbedding, log }).run(stop.signal)

await pollUntil(stop.signal, {
  config,
  log,
  activities: createActivities({
    db,
    publisher,
    projections,
    writer,
    outbound,
    models,
    specs: createRunSpecs(db),
    children: createChildRunFactory({ db }),
    statusOf: createStatusReader({ db, temporal }),
    search: searching,
    resources,
    validator,
    secrets,
    toolExecutor,
    recollections,
    runScopedTools: createRunScopedTools({ db, recollections }),
    transcription: createTranscription({ db, splitter, speech, usdPerMinute, concurrency }),
    timeoutMs,
    maxChars: config.OUTBOUND_MAX_BYTES,
    extractor,
    readers: config.DOCUMENT_READERS,
    log,
  }),
  workflowBundle: await loadWorkflowBundle(config),
  dataConverter,
})

log.info('stopping')
await Promise.all([publisher.flush(FLUSH_MS), writer.flush(FLUSH_MS), indexing])
await Promise.all([
  extractor.close(),
  temporal.close(),
  outbound.close(),
  speech.close(),
  closeRedis(redis),
  db.close(),
  search?.close(),
  embedder.close(),
  validator.close(),
])
log.info('stopped')
// Events that Redis or Postgres did not accept are retried for ever; they must not keep the process running.
process.exit(0)
