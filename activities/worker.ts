import { readConfig, readDeployment } from '../config/config.ts'
import { listEndpoints } from '../config/endpoints.ts'
import { readEnvironment } from '../config/environment.ts'
import { hasNamespaces } from '../config/namespaces.ts'
import { listenForEvents } from '../data/webhooks/event-listener.ts'
import { createLog } from '../observability/log.ts'
import { openTracing } from '../observability/tracing.ts'
import { createSealing } from '../services/audit/seal-entries.ts'
import { createEventPublishing } from '../services/webhooks/publish-events.ts'
import { createWakeUp } from '../services/shared/wake-up.ts'
import { createIndexing } from '../services/search/indexing/indexing.ts'
import { createBulkBatch } from '../services/runs/bulk/bulk-batch.ts'
import { findJobIdByRun } from '../services/runs/status/find-by-run.ts'
import { createAnswerDelivery } from '../services/people/pending-answers.ts'
import { createRunawayWatch } from '../services/runs/status/runaway-runs.ts'
import { createStatusReader } from '../services/runs/status/status.ts'
import { createChildRunFactory } from '../services/agents/neurons/child-runs.ts'
import { createPurgeBatch } from '../services/audit/purges/purge-batch.ts'
import { createRemoveExpired } from '../services/audit/retention/remove-expired.ts'
import { scheduleRetention } from '../services/audit/retention/schedule.ts'
import { reportDatabaseProblems } from '../services/shared/database-problems.ts'
import { createProjections } from '../services/runs/projections.ts'
import { createServices } from '../services/services.ts'
import { createScheduledRuns } from '../services/triggers/schedules/scheduled-runs.ts'
import { createNotifying } from '../services/channels/notifications/notify.ts'
import { reportRejection } from '../services/channels/report-rejection.ts'
import { createReadMailbox } from '../services/channels/email/read-mailbox.ts'
import { createShowByMail } from '../services/channels/email/show.ts'
import { createShowMessage } from '../services/channels/show-message.ts'
import { createShowInSlack } from '../services/channels/slack/show.ts'
import { createShowInTeams } from '../services/channels/teams/show.ts'
import { createSendPush } from '../services/channels/web-push/push.ts'
import { createShowInBrowsers } from '../services/channels/web-push/show.ts'
import { createFiringCompletion } from '../services/triggers/complete-firings.ts'
import { createDeliveryAttempts } from '../services/webhooks/attempt-delivery.ts'
import { createEventSource } from '../streams/event-source.ts'
import { createEventPublisher } from '../streams/event-publisher.ts'
import { createEventRemoval } from '../streams/event-removal.ts'
import { closeRedis, openSubscriber } from '../streams/redis.ts'
import { loadWorkflowBundle } from '../workflows/bundle.ts'
import { createRunScopedTools } from './agents/run-scoped-tools.ts'
import { createRunSpecs } from './agents/run-specs.ts'
import { createExtractor } from './documents/extract/extractor.ts'
import { readExtractLimits } from './documents/extract-limits.ts'
import { createTextExtraction } from './documents/extract-document.ts'
import { createReadFileText } from './documents/file-texts.ts'
import { createReadMessageFiles, createReadStepFiles } from './documents/message-files.ts'
import { createActivities } from './index.ts'
import { createModels } from './agents/models/models.ts'
import { createProjectionWriter } from './runs/projection-writer.ts'
import { createOutbound } from '../services/tools/outbound/client.ts'
import { pollUntil } from './shared/worker/polling.ts'
import { serveWorkerHealth } from './shared/worker/health.ts'
import { openWorkerMetrics } from './shared/worker/metrics.ts'
import { installTemporalRuntime } from './shared/worker/temporal-runtime.ts'
import { prepareWorkflowThreads } from './shared/worker/workflow-threads.ts'
import { createSecrets } from './tools/secrets.ts'
import { createMapChanges } from '../services/stakeholders/changes.ts'
import { createBuiltins } from './tools/builtin/builtin.ts'
import { createReadFile } from './tools/builtin/read-file.ts'
import { createToolExecutor } from './tools/tool-executor.ts'
import { createSpendCheck } from './agents/spend-check.ts'
import { openSpeechService } from './speech/service.ts'
import { createSplitter } from './speech/split/splitter.ts'
import { createTranscription } from './speech/transcription.ts'
import { createSendWebhook } from './webhooks/send-webhook.ts'

/** The worker process. It runs workflows, activities and the indexer until it receives SIGINT or SIGTERM. */
const config = readConfig(readEnvironment())
const log = createLog(config, 'worker')
const tracing = openTracing(config, 'worker', log)
const metrics = await openWorkerMetrics(config, log)
prepareWorkflowThreads({ traces: config.WORKFLOW_STACK_TRACES })
installTemporalRuntime(log, runId => findJobIdByRun(temporal, runId), metrics?.temporal)

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

/** Time limit for writing the last events and projections at shutdown. */
const FLUSH_MS = 2_000
const timeoutMs = config.OUTBOUND_TIMEOUT_SECONDS * 1_000

const { clients, services } = createServices(config, log, { observe: metrics?.observeProviderCall })
const { db, publisher, temporal, searchIndex, embedder, evaluator } = clients
const {
  resources,
  search,
  recollections,
  idempotencyKeys,
  jobs,
  noteEmbedding,
  plans,
  deliveryStarter,
  secretSource,
  triggerEventFiring,
} = services
const healthServer = await serveWorkerHealth({ config, temporal, stop: stop.signal, log })
void reportDatabaseProblems({ db, log })
const projections = createProjections({ db, signer: services.signer })
const writer = createProjectionWriter({ projections, log })
const { OUTBOUND_ALLOW: allow, OUTBOUND_MAX_BYTES: maxBytes } = config
const components = [...listEndpoints(config), ...(metrics ? [{ ...metrics.temporal, isShared: false }] : [])]
const outbound = createOutbound({ allow, components, timeoutMs, maxBytes })
const models = createModels(config, metrics?.observeProviderCall)
const checkSpend = createSpendCheck(plans)
if (hasNamespaces()) log.info('document readers run in namespaces without a network')
else log.warn('this system has no namespaces for document readers: only Node restricts their network and file access')
const extractor = createExtractor({ limits: readExtractLimits(config), log })
const speech = openSpeechService(config, metrics?.observeProviderCall)
const splitter = createSplitter({ maxSeconds: config.AUDIO_MAX_SECONDS, log })
const { SPEECH_USD_PER_MINUTE: usdPerMinute, SPEECH_CONCURRENCY: concurrency } = config
const secrets = createSecrets({ source: secretSource, allow, log })
const transcription = createTranscription({
  db,
  splitter,
  speech,
  model: config.SPEECH_MODEL,
  usdPerMinute,
  concurrency,
  checkSpend,
})
const textExtraction = createTextExtraction({ db, extractor, transcription, readers: config.DOCUMENT_READERS })
const readFileText = createReadFileText({ db, textExtraction })
const builtins = createBuiltins({
  db,
  resources,
  search,
  outbound,
  extractor,
  idempotencyKeys,
  evaluator,
  readFileText,
})
const toolExecutor = createToolExecutor({ db, outbound, secrets, builtins, evaluator, config })
const indexing =
  searchIndex && createIndexing({ db, search: searchIndex, embedder, noteEmbedding, log }).run(stop.signal)
const { STREAM_MAX_LENGTH: maxLength, STREAM_TTL_SECONDS: ttlSeconds } = config
const notifying = createNotifying({ db, onMessages: () => services.messageStarter.wake(), log })
const publishing = createEventPublishing({
  db,
  publish: createEventPublisher(clients.redis, { maxLength, ttlSeconds }),
  listen: listening => listenForEvents(config.DATABASE_URL, listening),
  onDeliveries: () => {
    deliveryStarter.wake()
    services.messageStarter.wake()
    notifying.wake()
    triggerEventFiring.wake()
  },
  onTriggerChanges: () => services.triggerFollower.wake(),
  wakeUp: createWakeUp(),
  log,
}).run(stop.signal)
const delivering = deliveryStarter.run(stop.signal)
const messaging = services.messageStarter.run(stop.signal)
const telling = notifying.run(stop.signal)
const readingMail = services.mailboxStarter.run(stop.signal)
const firingEvents = triggerEventFiring.run(stop.signal)
const attemptDelivery = createDeliveryAttempts({
  db,
  encryption: services.webhookEncryption,
  send: createSendWebhook(outbound),
  disableAfterDays: config.WEBHOOK_DISABLE_DAYS,
})
const subscriber = openSubscriber(config.REDIS_URL, log, config.REDIS_TLS_CA)
const jobEvents = createEventSource({ commands: clients.redis, subscriber, log })
const showMessage = createShowMessage({
  db,
  encryption: services.channelEncryption,
  baseUrl: config.BASE_URL,
  showIn: {
    slack: createShowInSlack({ openSlack: services.openSlack, events: jobEvents, baseUrl: config.BASE_URL }),
    teams: createShowInTeams({ sendToTeams: services.sendToTeams, baseUrl: config.BASE_URL }),
    email: createShowByMail({ servers: services.mailServers, baseUrl: config.BASE_URL }),
    web_push: createShowInBrowsers({
      sendPush: createSendPush(clients.outbound),
      encryption: services.channelEncryption,
      baseUrl: config.BASE_URL,
    }),
  },
})
const readMailbox = createReadMailbox({
  db,
  encryption: services.channelEncryption,
  servers: services.mailServers,
  receiveMail: services.receiveMail,
  pollSeconds: config.EMAIL_POLL_SECONDS,
  log,
})
const following = services.triggerFollower.run(stop.signal)
const sealing = createSealing({ db, log }).run(stop.signal)
const completing = createFiringCompletion({ db, firing: services.triggerFiring, log }).run(stop.signal)
const answering = createAnswerDelivery({
  db,
  temporal,
  onRejected: reportRejection,
  onMessages: () => services.messageStarter.wake(),
  log,
}).run(stop.signal)
const watching = createRunawayWatch({ db, temporal, log }).run(stop.signal)
const scheduling = scheduleRetention(stop.signal, { temporal, config, log })

const metricsServer = await metrics?.serve({
  measureQueue: () => publisher.measureQueue(),
  countPendingProjections: () => writer.countPending(),
})

/** The dependencies that purges and retention share. */
const removal = {
  db,
  temporal,
  publisher,
  removeEvents: createEventRemoval(clients.redis),
  hasIndex: searchIndex !== undefined,
}

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
    children: createChildRunFactory({ db, evaluator }),
    statusOf: createStatusReader({ db, temporal }),
    removeExpired: createRemoveExpired({ ...removal, config }),
    bulkBatch: createBulkBatch({ db, temporal, jobs, log }),
    purgeBatch: createPurgeBatch(removal),
    search,
    resources,
    mapChanges: createMapChanges({ db, resources, idempotencyKeys }),
    evaluator,
    countEnd: metrics?.countEndedRun,
    secrets,
    toolExecutor,
    recollections,
    runScopedTools: createRunScopedTools({ db, recollections, readFile: createReadFile({ db, readFileText }) }),
    transcription,
    textExtraction,
    readMessageFiles: createReadMessageFiles({ db, readFileText }),
    readStepFiles: createReadStepFiles({ db, readFileText }),
    checkSpend,
    attemptDelivery,
    showMessage,
    readMailbox,
    scheduledRuns: createScheduledRuns({ db, temporal, firing: services.triggerFiring }),
    timeoutMs,
    maxChars: maxBytes,
    log,
  }),
  workflowBundle: await loadWorkflowBundle(config, { hasBuild: readDeployment(config).buildId !== undefined }),
  dataConverter: clients.dataConverter,
  db,
  tracing,
})

log.info('worker is stopping')
await Promise.all([
  publisher.flush(FLUSH_MS),
  writer.flush(FLUSH_MS),
  indexing,
  publishing,
  delivering,
  messaging,
  telling,
  readingMail,
  firingEvents,
  completing,
  answering,
  following,
  sealing,
  watching,
  scheduling,
])
await Promise.allSettled([
  extractor.close(),
  outbound.close(),
  speech.close(),
  clients.close(),
  closeRedis(subscriber),
  metricsServer?.close(),
  healthServer?.close(),
  tracing?.close(),
])
log.info('worker has stopped')
// Events that Redis or Postgres did not accept are retried forever. The retries must not keep the process running.
process.exit(0)
