import type { RequestListener } from 'node:http'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { ApiKeysService } from '../services/access/api-keys.ts'
import type { MembersService } from '../services/access/members.ts'
import type { Offboarding } from '../services/access/offboarding.ts'
import type { PublishableKeysService } from '../services/access/publishable-keys.ts'
import type { SessionsService } from '../services/access/sessions.ts'
import type { ShareTokensService } from '../services/access/share-tokens.ts'
import type { SignIn } from '../services/access/sign-in.ts'
import type { AccessService } from '../services/access/types.ts'
import type { ActivityService } from '../services/activity/activity.ts'
import type { PayloadDecoder } from '../services/operators/payload-decoder.ts'
import type { Sharing } from '../services/sharing/sharing.ts'
import type { DiscoveryService } from '../services/discovery/types.ts'
import type { DocumentsService } from '../services/documents/types.ts'
import type { EvidenceService } from '../services/evidence/evidence.ts'
import type { CalendarsService } from '../services/human-tasks/calendars.ts'
import type { AbsencesService } from '../services/human-tasks/absences.ts'
import type { BulkAnswers, HumanTasksService } from '../services/human-tasks/types.ts'
import type { BulkJobs } from '../services/jobs/bulk/types.ts'
import type { JobsService } from '../services/jobs/types.ts'
import type { WaitForResult } from '../services/jobs/wait-for-result.ts'
import type { BrainsService } from '../services/brains/brains.ts'
import type { Chat } from '../services/conversations/chat.ts'
import type { Conversations, TracesService } from '../services/conversations/types.ts'
import type { ProductService } from '../services/products/types.ts'
import type { ReceptorsService } from '../services/receptors/receptors.ts'
import type { NeuronsService } from '../services/neurons/types.ts'
import type { McpToolkits } from '../services/mcp-toolkits/types.ts'
import type { MeetingsService } from '../services/meetings/types.ts'
import type { PlansService } from '../services/plans/plans.ts'
import type { PathwaysService } from '../services/pathways/types.ts'
import type { Recollections } from '../services/recollections/recollections.ts'
import type { UsageService } from '../services/usage/usage.ts'
import type { Purges } from '../services/purges/purges.ts'
import type { ReflexesService } from '../services/reflexes/types.ts'
import type { ResourcesService } from '../services/resources/types.ts'
import type { StakeholdersService } from '../services/stakeholders/types.ts'
import type { SearchJobs } from '../services/search/search-jobs.ts'
import type { SearchService } from '../services/search/types.ts'
import type { SecretsService } from '../services/secrets/types.ts'
import type { ToolsService } from '../services/tools/types.ts'
import type { TranscriptionService } from '../services/transcription/types.ts'
import type { OpenStreams } from '../domain/open-streams.ts'
import type { RateLimiter } from '../domain/rate-limiter.ts'
import type { Automations } from '../services/triggers/automations.ts'
import type { ReplayFiring } from '../services/trigger-events/replay-firing.ts'
import type { Hooks } from '../services/hooks/types.ts'
import type { TriggersService } from '../services/triggers/types.ts'
import type { Webhooks } from '../services/webhooks/types.ts'
import type { RequestMetrics } from '../observability/request-metrics.ts'
import { MAX_ARTIFACT_BYTES } from '../domain/resources/kinds/artifacts.ts'
import { serveConsole } from './console/serve.ts'
import { readCredential } from './credentials/read-credential.ts'
import { createIsSecure } from './credentials/secure-requests.ts'
import { cors } from './middleware/cors.ts'
import { errors } from './middleware/errors.ts'
import { gone } from './middleware/gone.ts'
import { headers } from './middleware/headers.ts'
import { createClientAddress } from './middleware/client-address.ts'
import { logging } from './middleware/logging.ts'
import { createRateLimit } from './middleware/rate-limit.ts'
import { type InRequest, requestId } from './middleware/request-id.ts'
import { requestMetrics } from './middleware/request-metrics.ts'
import { tracing } from './middleware/tracing.ts'
import { redirects } from './middleware/redirects.ts'
import { unknownRoute } from './middleware/unknown-route.ts'
import { buildOpenApiDocument } from './openapi/document.ts'
import { createServedDocument } from './openapi/served-document.ts'
import { activityRoutes } from './routes/activity/routes.ts'
import { accessRoutes } from './routes/access/routes.ts'
import { automationRoutes } from './routes/automations/routes.ts'
import { brainRoutes } from './routes/brains/routes.ts'
import { eventRoutes } from './routes/events/routes.ts'
import { discoveryRoutes } from './routes/discovery/routes.ts'
import { artifactRoutes } from './routes/artifacts/routes.ts'
import { assetRoutes } from './routes/assets/routes.ts'
import { evidenceRoutes } from './routes/evidence/routes.ts'
import { calendarRoutes } from './routes/calendars/routes.ts'
import { absenceRoutes } from './routes/absences/routes.ts'
import { interventionRoutes } from './routes/interventions/routes.ts'
import { conversationRoutes } from './routes/conversations/routes.ts'
import { receptorRoutes } from './routes/receptors/routes.ts'
import { skillRoutes } from './routes/skills/routes.ts'
import { neuronRoutes } from './routes/neurons/routes.ts'
import { jobRoutes } from './routes/jobs/routes.ts'
import { mcpToolkitRoutes } from './routes/mcp-toolkits/routes.ts'
import { meetingRoutes } from './routes/meetings/routes.ts'
import { pathwayRoutes } from './routes/pathways/routes.ts'
import { operatorRoutes } from './routes/operators/routes.ts'
import { publicRoutes } from './routes/public/routes.ts'
import { recollectionRoutes } from './routes/recollections/routes.ts'
import { reflexRoutes } from './routes/reflexes/routes.ts'
import { resourceRoutes } from './routes/resources/routes.ts'
import { createHealth, createWorkspaceCount } from './routes/service/health.ts'
import type { Probes } from './routes/service/health.ts'
import { searchRoutes } from './routes/search/routes.ts'
import { stakeholderRoutes } from './routes/stakeholders/routes.ts'
import { secretRoutes } from './routes/secrets/routes.ts'
import { serviceRoutes } from './routes/service/routes.ts'
import { sessionRoutes } from './routes/session/routes.ts'
import type { ModelSettings, Settings } from './routes/service/schemas.ts'
import { usageRoutes } from './routes/usage/routes.ts'
import { toolRoutes } from './routes/tools/routes.ts'
import { transcribeRoutes } from './routes/transcribe/routes.ts'
import { hookRoutes } from './routes/hooks/routes.ts'
import { replayRoute } from './routes/triggers/replay-route.ts'
import { triggerRoutes } from './routes/triggers/routes.ts'
import { webhookRoutes } from './routes/webhooks/routes.ts'
import { allowReaders } from './routing/access.ts'
import { mount } from './routing/mount.ts'
import type { Route } from './routing/route.ts'
import type { AppState } from './routing/state.ts'
import type { JobEventSource, WorkspaceEventSource } from '../domain/job-event-source.ts'
import { createAccessOfRoutes } from './mcp/access-of-routes.ts'
import type { ServerDeps } from './mcp/build-server.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { mcpErrors } from './mcp/errors.ts'
import { protectedResource } from './mcp/oauth.ts'
import { mcpOrigin } from './mcp/origin.ts'
import { createCallStates } from './mcp/request-state.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { createSubscriptions } from './mcp/subscriptions/subscriptions.ts'
import { createStreamLimit } from './sse/stream-limit.ts'
import { createSseServer } from './sse/sse-server.ts'
import { createWorkspaceStreams } from './sse/workspace-streams.ts'
import { createMemoryBudget } from './uploads/memory-budget.ts'
import { createJsonReader } from './uploads/read-json.ts'

export interface AppDeps {
  access: AccessService
  plans: PlansService
  limiter: RateLimiter
  openStreams: OpenStreams
  apiKeys: ApiKeysService
  members: MembersService
  offboarding: Offboarding
  publishableKeys: PublishableKeysService
  shareTokens: ShareTokensService
  brains: BrainsService
  sessions: SessionsService
  signIn: SignIn
  sharing: Sharing
  payloadDecoder: PayloadDecoder
  discovery: DiscoveryService
  jobs: JobsService
  bulkJobs: BulkJobs
  humanTasks: HumanTasksService
  bulkAnswers: BulkAnswers
  evidence: EvidenceService
  absences: AbsencesService
  calendars: CalendarsService
  neurons: NeuronsService
  receptors: ReceptorsService
  skills: ProductService
  conversations: Conversations
  chat: Chat
  waitForResult: WaitForResult
  traces: TracesService
  purges: Purges
  usage: UsageService
  activity: ActivityService
  recollections: Recollections
  pathways: PathwaysService
  reflexes: ReflexesService
  resources: ResourcesService
  documents: DocumentsService
  search: SearchService
  searchJobs: SearchJobs
  stakeholders: StakeholdersService
  tools: ToolsService
  mcpToolkits: McpToolkits
  secrets: SecretsService
  transcription: TranscriptionService
  meetings: MeetingsService
  events: JobEventSource
  workspaceEvents: WorkspaceEventSource
  triggers: TriggersService
  automations: Automations
  hooks: Hooks
  replayFiring: ReplayFiring
  webhooks: Webhooks
  probes: Probes
  inRequest: InRequest
  /** Absent where the process serves no metrics. */
  requestMetrics?: RequestMetrics
  isTraced?: boolean
  models: ModelSettings
  /** Adds to the MCP server of each request. For tests. */
  extendMcp?: ServerDeps['extendMcp']
  config: Pick<
    Config,
    | 'ADDRESS_REQUESTS_PER_MINUTE'
    | 'API_KEY_SECRET'
    | 'AUDIO_MAX_BYTES'
    | 'AUDIO_MAX_SECONDS'
    | 'BASE_URL'
    | 'BODY_LIMIT_BYTES'
    | 'CORS_ORIGINS'
    | 'DOCUMENT_BUFFER_BYTES'
    | 'DOCUMENT_MAX_BYTES'
    | 'IDEMPOTENCY_HOURS'
    | 'MAX_CONNECTIONS'
    | 'OAUTH_ISSUER'
    | 'STREAM_MAX_LENGTH'
    | 'STREAM_TTL_SECONDS'
    | 'STREAM_PING_SECONDS'
    | 'TRUSTED_PROXIES'
  >
  log: Logger
  version: string
}

export interface App {
  /** The request listener for `http.createServer`. */
  handler: RequestListener
  /** Counts a request that is not valid HTTP. Returns the lines of the headers `X-RateLimit-*`. */
  countUnread(address: string | undefined): Promise<string[]>
  /** All routes, as they are declared. */
  routes: Route[]
  /** Ends the open streams and refuses new ones. */
  closeStreams(): void
}

/** Error codes of a connection that the caller closed before the response was sent. */
const LEFT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Builds the HTTP application. It opens no connections and does not listen. */
export function createApp(deps: AppDeps): App {
  const { access, config, log, events, meetings } = deps
  const pingSeconds = config.STREAM_PING_SECONDS
  const settings = buildSettings(deps)
  const stream = { access, events, admit: createStreamLimit(deps), pingSeconds, log }
  const streams = createSseServer({ jobs: deps.jobs, ...stream })
  const meetingStreams = createSseServer({ jobs: meetings.snapshots, ...stream })
  const workspaceStreams = createWorkspaceStreams({ ...stream, events: deps.workspaceEvents })
  const rateLimit = createRateLimit({
    limiter: deps.limiter,
    plans: deps.plans,
    addressLimit: config.ADDRESS_REQUESTS_PER_MINUTE,
    toAddress: createClientAddress(config.TRUSTED_PROXIES),
    identify: async ctx => {
      const presented = readCredential(ctx, allowReaders(null))
      return presented && (await access.authenticate(presented)).principal
    },
  })
  const mcp = createMcpEndpoint({
    ...deps,
    countCalls: (ctx, calls) => rateLimit.calls(ctx, calls),
    pingSeconds,
    accessOf: createAccessOfRoutes(() => routes),
    callStates: createCallStates(config.API_KEY_SECRET),
    subscriptions: createSubscriptions({ ...stream, workspaceEvents: deps.workspaceEvents }),
  })
  const routes: Route[] = [
    ...serviceRoutes({
      ...deps,
      health: createHealth(deps.probes),
      stuckRuns: createWorkspaceCount(principal => deps.jobs.countStuck(principal)),
      indexFailures: createWorkspaceCount(principal => deps.search.countFailures(principal)),
      settings,
      describe: describeRoutes(() => routes, deps),
    }),
    ...accessRoutes(deps),
    ...brainRoutes(deps),
    ...sessionRoutes({
      ...deps,
      workspaceStreams,
      settings,
    }),
    ...operatorRoutes(deps),
    ...publicRoutes({ ...deps, streams }),
    ...neuronRoutes(deps),
    ...receptorRoutes(deps),
    ...skillRoutes(deps),
    ...conversationRoutes(deps),
    ...usageRoutes(deps),
    ...activityRoutes(deps),
    ...recollectionRoutes(deps),
    ...pathwayRoutes(deps),
    ...jobRoutes({ ...deps, streams }),
    ...interventionRoutes(deps),
    ...absenceRoutes(deps),
    ...calendarRoutes(deps),
    ...evidenceRoutes(deps),
    ...eventRoutes({ workspaceStreams }),
    ...webhookRoutes(deps),
    ...searchRoutes(deps),
    ...stakeholderRoutes(deps),
    ...reflexRoutes(deps),
    ...toolRoutes(deps),
    ...mcpToolkitRoutes(deps),
    ...mcpRoutes(mcp),
    ...secretRoutes(deps),
    ...transcribeRoutes(deps),
    ...meetingRoutes({ meetings, streams: meetingStreams }),
    ...triggerRoutes(deps),
    ...hookRoutes(deps),
    replayRoute(deps),
    ...automationRoutes(deps),
    ...discoveryRoutes(deps),
    ...assetRoutes(deps),
    ...artifactRoutes(deps),
    ...resourceRoutes(deps),
  ]
  const uploads = {
    maxOtherBytes: config.BODY_LIMIT_BYTES,
    memory: createMemoryBudget(config.DOCUMENT_BUFFER_BYTES),
    readJson: createJsonReader(config.BODY_LIMIT_BYTES),
  }
  const answerRoutes = mount(routes, {
    access,
    plans: deps.plans,
    rateLimit,
    maxConnections: config.MAX_CONNECTIONS,
    bodyLimit: config.BODY_LIMIT_BYTES,
    documents: { what: 'The document', maxBytes: config.DOCUMENT_MAX_BYTES, inJson: 'base64', ...uploads },
    audio: { what: 'The audio', maxBytes: config.AUDIO_MAX_BYTES, inJson: 'base64', ...uploads },
    texts: { what: 'The text', maxBytes: MAX_ARTIFACT_BYTES, inJson: 'string', ...uploads },
  })
  const app = new Koa<AppState>()
  app.on('error', (err: NodeJS.ErrnoException) => {
    log[LEFT.has(err.code ?? '') ? 'debug' : 'error']({ err }, 'sending a response failed')
  })
  for (const step of [
    requestId(deps.inRequest),
    ...(deps.requestMetrics ? [requestMetrics(deps.requestMetrics)] : []),
    ...(deps.isTraced ? [tracing(config.TRUSTED_PROXIES)] : []),
    headers(createIsSecure(config)),
    cors(config.CORS_ORIGINS),
    logging(log),
    errors,
    redirects,
    serveConsole(),
    mcpErrors(config),
    rateLimit.others,
    mcpOrigin(config),
    protectedResource(config),
    gone,
    answerRoutes,
    unknownRoute,
  ])
    app.use(step as Koa.Middleware<AppState>)
  const callback = app.callback()
  const closeStreams = () => {
    streams.close()
    meetingStreams.close()
    workspaceStreams.close()
    mcp.close()
  }
  return { handler: (req, res) => void callback(req, res), countUnread: rateLimit.unread, routes, closeStreams }
}

/** The OpenAPI document is built at its first use: the list of routes contains the route that returns it. */
const describeRoutes = (routes: () => Route[], { version, config }: AppDeps) =>
  createServedDocument(() => buildOpenApiDocument(routes(), { version, baseUrl: config.BASE_URL }))

function buildSettings({ models, config }: AppDeps): Settings {
  return {
    ...models,
    limits: {
      body_bytes: config.BODY_LIMIT_BYTES,
      document_bytes: config.DOCUMENT_MAX_BYTES,
      artifact_bytes: MAX_ARTIFACT_BYTES,
      audio_bytes: config.AUDIO_MAX_BYTES,
      audio_seconds: config.AUDIO_MAX_SECONDS,
      page_size: 200,
      stream_length: config.STREAM_MAX_LENGTH,
      stream_ttl_seconds: config.STREAM_TTL_SECONDS,
      idempotency_hours: config.IDEMPOTENCY_HOURS,
    },
  }
}
