import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { listEndpoints } from '../config/endpoints.ts'
import { buildConsoleRunsUrl } from '../domain/shared/console-link.ts'
import type { RateLimiter } from '../domain/access/rate-limiter.ts'
import type { EmbedderOptions } from '../search/embedding/embedder.ts'
import { createJobPublisher } from '../streams/job-publisher.ts'
import { closeRedis, openCommands } from '../streams/redis.ts'
import { createAccess } from './access/access.ts'
import { createAccessTokens } from './access/credentials/access-tokens.ts'
import { createActivity } from './audit/activity.ts'
import { createApiKeys } from './access/credentials/api-keys.ts'
import { createMembers } from './access/members.ts'
import { createOffboarding } from './access/offboarding.ts'
import { createPublishableKeys } from './access/credentials/publishable-keys.ts'
import { createScimGroups } from './access/scim/groups.ts'
import { createScimUsers } from './access/scim/users.ts'
import { createSessions } from './access/credentials/sessions.ts'
import { createShareTokens } from './access/credentials/share-tokens.ts'
import { createSignIn } from './access/credentials/sign-in.ts'
import { createUserTokens } from './access/credentials/user-tokens.ts'
import { createBacklogReader } from './shared/backlog.ts'
import { createBrains } from './access/manage-brains.ts'
import { createChat } from './agents/conversations/chat.ts'
import { createConversations } from './agents/conversations/conversations.ts'
import { createTraces } from './agents/conversations/traces.ts'
import { createDiscovery } from './resources/discovery/discovery.ts'
import { createDocuments } from './documents/documents.ts'
import { createFiles } from './documents/files.ts'
import { createEvidence } from './people/evidence/evidence.ts'
import { createSigner } from './people/evidence/signer.ts'
import { createAbsences } from './people/absences.ts'
import { createCalendars } from './people/calendars.ts'
import { createBulkAnswers } from './people/bulk-answers.ts'
import { createHumanTasks } from './people/human-tasks.ts'
import { createIdempotencyKeys } from './shared/idempotency.ts'
import { openEvaluator } from './pathways/evaluation/evaluator.ts'
import { createJobStarter } from './runs/start/job-starter.ts'
import { createBulkJobs } from './runs/bulk/bulk-jobs.ts'
import { createJobs } from './runs/jobs.ts'
import { createWaitForResult } from './runs/wait-for-result.ts'
import { createMcpToolkits } from './tools/mcp-toolkits.ts'
import { createMeetings } from './speech/meetings/meetings.ts'
import { createNeurons } from './agents/neurons/neurons.ts'
import { createPathways } from './pathways/pathways.ts'
import { createRules } from './resources/rules.ts'
import { createDataConverter } from './shared/encryption/payloads.ts'
import { createPlans } from './access/plans.ts'
import { createPayloadDecoder } from './shared/encryption/payload-decoder.ts'
import { createPayloadCodec } from './shared/encryption/payload-codec.ts'
import { createProduct } from './resources/product.ts'
import { createPurges } from './audit/purges/purges.ts'
import { createReceptors } from './agents/receptors.ts'
import { createRecollections } from './agents/recollections.ts'
import { createReflexes } from './tools/reflexes/reflexes.ts'
import { createResources } from './resources/resources.ts'
import { createSearchJobs } from './search/search-jobs.ts'
import { createSearchService } from './search/search.ts'
import { createAddressRule } from './tools/outbound/address-rule.ts'
import { createComponentRule } from './tools/outbound/component-rule.ts'
import { resolveBySystem } from './tools/outbound/resolve.ts'
import { openTemporal } from './shared/temporal.ts'
import { createSecretEncryption } from './tools/secrets/encryption.ts'
import { createSecretSource } from './tools/secrets/secret-source.ts'
import { createSecretsService } from './tools/secrets/secrets.ts'
import { createSharing } from './access/sharing.ts'
import { createTools } from './tools/tools.ts'
import { createOutbound } from './tools/outbound/client.ts'
import { createChannels } from './channels/channels.ts'
import { createChannelAccounts } from './channels/accounts.ts'
import { createNotifications } from './channels/notifications/notifications.ts'
import { createNotificationRules } from './channels/notifications/rules.ts'
import { createEmailConnector } from './channels/email/connector.ts'
import { createReceiveMail } from './channels/email/receive-mail.ts'
import { createMailServers } from './channels/email/servers.ts'
import { createReceiveFromSlack } from './channels/slack/receive.ts'
import { createSendToReceptor } from './channels/send-to-receptor.ts'
import { createMailboxStarter, createMessageStarter } from './channels/starters.ts'
import { createOpenSlack } from './channels/slack/api.ts'
import { createSlackConnector } from './channels/slack/connector.ts'
import { createSlackEvents } from './channels/slack/events.ts'
import { createReadSlackFile } from './channels/slack/read-file.ts'
import { createSlackInteractions } from './channels/slack/interactions.ts'
import { createTeamsConnector } from './channels/teams/connector.ts'
import { createSendToTeams } from './channels/teams/webhook.ts'
import { createWebPushConnector } from './channels/web-push/connector.ts'
import { createPushSubscriptions } from './channels/web-push/subscriptions.ts'
import { createTranscriptionService } from './speech/transcription.ts'
import { createEmbeddingLedger } from './access/usage/embedding-ledger.ts'
import { createAutomations } from './triggers/automations.ts'
import { createTriggerFollower } from './triggers/follow-triggers.ts'
import { createTriggerSchedules } from './triggers/schedules/sync.ts'
import { createTriggerFiring } from './triggers/fire.ts'
import { createBuildTargetRun } from './triggers/targets.ts'
import { createTriggers } from './triggers/triggers.ts'
import { createUsage } from './access/usage/usage.ts'
import { createEncryption } from './shared/encryption/encryption.ts'
import { openStores } from './shared/stores.ts'
import { createStakeholders } from './stakeholders/stakeholders.ts'
import { createFindHook } from './triggers/hooks/find-hook.ts'
import { createHooks } from './triggers/hooks/hooks.ts'
import { createReceive } from './triggers/hooks/receive.ts'
import { createReplayFiring } from './triggers/events/replay-firing.ts'
import { createTriggerEventFiring } from './triggers/events/fire-events.ts'
import { createRouteMessage } from './triggers/events/route-message.ts'
import { createUrlCheck } from './webhooks/check-url.ts'
import { createDeliveryStarter } from './webhooks/start-deliveries.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** The services of a process, by name. */
export type Services = ReturnType<typeof createServices>['services']

export type Clients = ReturnType<typeof openClients>

/** Time limit for a request to a messaging service. */
const CHANNEL_TIMEOUT_MS = 30_000

function openClients(config: Config, log: Logger, embedding?: EmbedderOptions) {
  const stores = openStores(config, embedding)
  const redis = openCommands(config.REDIS_URL, log, config.REDIS_TLS_CA)
  const { STREAM_MAX_LENGTH: maxLength, STREAM_TTL_SECONDS: ttlSeconds } = config
  const publisher = createJobPublisher(redis, { maxLength, ttlSeconds, log })
  const codec = createPayloadCodec(config)
  const dataConverter = createDataConverter(stores.db, config, codec)
  const temporal = openTemporal(config, { dataConverter })
  const evaluator = openEvaluator()
  const outbound = createOutbound({
    allow: config.OUTBOUND_ALLOW,
    components: listEndpoints(config),
    timeoutMs: CHANNEL_TIMEOUT_MS,
    maxBytes: config.OUTBOUND_MAX_BYTES,
  })
  const close = async () =>
    void (await Promise.allSettled([
      closeRedis(redis),
      temporal.close(),
      stores.close(),
      evaluator.close(),
      outbound.close(),
    ]))
  return { ...stores, redis, publisher, outbound, dataConverter, temporal, evaluator, codec, close }
}

/**
 * The composition root of the API and the worker: opens the clients of all components and builds the services on top
 * of them.
 */
export function createServices(config: Config, log: Logger, embedding?: EmbedderOptions) {
  const clients = openClients(config, log, embedding)
  const { db, temporal, publisher, evaluator } = clients
  const { API_KEY_SECRET: secret } = config
  const noteEmbedding = createEmbeddingLedger({ db, model: clients.embedder.model, config, log })
  const idempotencyKeys = createIdempotencyKeys({ hours: config.IDEMPOTENCY_HOURS })
  const plans = createPlans({ db, config, log })
  const consoleRuns = config.BASE_URL && buildConsoleRunsUrl(config.BASE_URL)
  const jobStarter = createJobStarter({ db, temporal, publisher, idempotencyKeys, plans, consoleRuns })
  const resources = createResources({ db, evaluator, rules: createRules(evaluator), idempotencyKeys })
  const search = createSearchService(db, clients.searchIndex, noteEmbedding)
  const jobs = createJobs({ db, temporal, jobStarter, idempotencyKeys, evaluator })
  const waitForResult = createWaitForResult({ db, temporal })
  const conversations = createConversations({ jobStarter, jobs, waitForResult, evaluator })
  const receptors = createReceptors({ db, resources, conversations })
  const accessTokens = createAccessTokens({ db, config })
  const access = createAccess({ db, secret, verifyUserToken: createUserTokens(config), accessTokens })
  const chat = createChat({ db, conversations, receptors })
  const traces = createTraces({ db })
  const files = createFiles({ db, maxBytes: config.FILE_MAX_BYTES })
  const sessions = createSessions({ db, secret, hours: config.SESSION_HOURS })
  const signer = createSigner(config)
  const webhookEncryption = createEncryption(secret, 'webhook secrets')
  const secretEncryption = createSecretEncryption(config)
  const secretSource = createSecretSource({ db, secrets: config.SECRETS, encryption: secretEncryption, log })
  const deliveryStarter = createDeliveryStarter({ db, temporal, logDays: config.WEBHOOK_LOG_DAYS, log })
  const triggerFiring = createTriggerFiring({
    db,
    jobStarter,
    evaluator,
    plans,
    buildTargetRun: createBuildTargetRun(evaluator),
  })
  const triggerSchedules = createTriggerSchedules({ db, temporal })
  const triggers = createTriggers({
    db,
    resources,
    firing: triggerFiring,
    schedules: triggerSchedules,
    idempotencyKeys,
  })
  const triggerEventFiring = createTriggerEventFiring({
    db,
    fire: triggerFiring.fire,
    routeMessage: createRouteMessage({ db, jobStarter }),
    log,
  })
  const channelEncryption = createEncryption(secret, 'channel credentials')
  const openSlack = createOpenSlack(clients.outbound, config.SLACK_API_URL)
  const readSlackFile = createReadSlackFile({
    openSlack,
    outbound: clients.outbound,
    maxBytes: config.FILE_MAX_BYTES,
  })
  const sendToTeams = createSendToTeams(clients.outbound)
  const sendToReceptor = createSendToReceptor({ db, chat, receptors, files, plans })
  const mailServers = createMailServers(clients.outbound)
  const messageStarter = createMessageStarter({ db, temporal, log })
  const mailboxStarter = createMailboxStarter({ db, temporal, log })
  const hookEncryption = createEncryption(secret, 'hook secrets')
  const findHook = createFindHook({ db, secret, encryption: hookEncryption })
  const openReceivers = (limiter: RateLimiter) => ({
    hooks: createHooks({
      db,
      secret,
      encryption: hookEncryption,
      baseUrl: config.BASE_URL,
      receive: createReceive({ db, findHook, fire: triggerFiring.fire, waitForResult, limiter, evaluator }),
    }),
    receiveFromSlack: createReceiveFromSlack({
      db,
      encryption: channelEncryption,
      limiter,
      handleEvent: createSlackEvents({ db, sendToReceptor, openSlack, readSlackFile, messageStarter }),
      handleInteraction: createSlackInteractions({ db, jobs, plans, openSlack, log }),
    }),
  })
  const members = createMembers({ db })
  const humanTasks = createHumanTasks({ db, temporal, idempotencyKeys })
  const offboarding = createOffboarding({ db, members, humanTasks })
  const services = {
    access,
    plans,
    apiKeys: createApiKeys({ db, secret }),
    members,
    offboarding,
    scim: {
      users: createScimUsers({ db, offboarding, config }),
      groups: createScimGroups({ db }),
      nameAttribute: config.SCIM_USER_ATTRIBUTE,
    },
    publishableKeys: createPublishableKeys({ db, secret }),
    shareTokens: createShareTokens({ db, secret }),
    brains: createBrains({ db }),
    payloadDecoder: createPayloadDecoder({ codec: clients.codec, config }),
    sessions,
    signIn: createSignIn({ db, sessions, config, log }),
    sharing: createSharing({ db, chat, traces, files, jobs }),
    discovery: createDiscovery({ db }),
    jobs,
    bulkJobs: createBulkJobs({ db, temporal, jobStarter, jobs, plans, idempotencyKeys }),
    absences: createAbsences({ db }),
    calendars: createCalendars({ db }),
    humanTasks,
    evidence: createEvidence({ db, signer }),
    signer,
    bulkAnswers: createBulkAnswers({ db, jobs, log }),
    neurons: createNeurons({ resources, jobStarter }),
    receptors,
    skills: createProduct(resources, 'skills'),
    conversations,
    waitForResult,
    chat,
    traces,
    purges: createPurges({ db, jobStarter }),
    usage: createUsage({ db, config }),
    activity: createActivity({ db }),
    recollections: createRecollections({ db, resources, search }),
    pathways: createPathways({ db, resources, evaluator }),
    resources,
    documents: createDocuments({ db, access, resources, jobStarter, evaluator, idempotencyKeys, config }),
    files,
    search,
    searchJobs: createSearchJobs(jobStarter),
    stakeholders: createStakeholders({ db, evaluator, search, jobs, waitForResult, config }),
    reflexes: createReflexes({ resources, jobStarter, secrets: secretSource }),
    secrets: createSecretsService({ db, secrets: config.SECRETS, encryption: secretEncryption }),
    secretSource,
    tools: createTools({ db, jobStarter, jobs, temporal }),
    mcpToolkits: createMcpToolkits({ db }),
    transcription: createTranscriptionService({ jobStarter, config }),
    meetings: createMeetings({ db, temporal, jobStarter, publisher, jobs, resources, config }),
    webhooks: createWebhooks({
      db,
      encryption: webhookEncryption,
      checkUrl: createConfiguredUrlCheck(config),
      starter: deliveryStarter,
    }),
    triggerFiring,
    triggerFollower: createTriggerFollower({ db, temporal, schedules: triggerSchedules, log }),
    triggers,
    automations: createAutomations({ db, triggers }),
    triggerEventFiring,
    openReceivers,
    replayFiring: createReplayFiring({ db, fire: triggerFiring.fire, idempotencyKeys }),
    webhookEncryption,
    deliveryStarter,
    channels: createChannels({
      db,
      encryption: channelEncryption,
      connectors: {
        slack: createSlackConnector({ openSlack }),
        teams: createTeamsConnector({ sendToTeams }),
        email: createEmailConnector({ servers: mailServers }),
        web_push: createWebPushConnector({ baseUrl: config.BASE_URL }),
      },
      baseUrl: config.BASE_URL,
    }),
    channelAccounts: createChannelAccounts({ db }),
    pushSubscriptions: createPushSubscriptions({ db, encryption: channelEncryption }),
    notificationRules: createNotificationRules({ db }),
    notifications: createNotifications({ db }),
    channelEncryption,
    openSlack,
    sendToTeams,
    mailServers,
    receiveMail: createReceiveMail({ db, sendToReceptor, jobs, messageStarter }),
    messageStarter,
    mailboxStarter,
    idempotencyKeys,
    noteEmbedding,
    readBacklog: createBacklogReader({ db, log }),
  }
  return { clients, services }
}

function createConfiguredUrlCheck(config: Config) {
  const resolve = resolveBySystem
  const isComponent = createComponentRule(listEndpoints(config), resolve)
  return createUrlCheck({ permits: createAddressRule(config.OUTBOUND_ALLOW, isComponent), resolve })
}
