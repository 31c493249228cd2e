import type { RequestListener } from 'node:http'
import Koa from 'koa'
import { MAX_ARTIFACT_BYTES } from '../domain/resources/kinds/artifacts.ts'
import type { ApiServices, AppDeps } from './deps.ts'
import { serveConsole } from './console/serve.ts'
import { serveWidget } from './widget/serve.ts'
import { readCredential } from './credentials/read-credential.ts'
import { createIsSecure } from './credentials/secure-requests.ts'
import { cors } from './middleware/cors.ts'
import { errors } from './middleware/errors.ts'
import { rejectRemovedRoutes, headers, requestId, redirects, unknownRoute } from './middleware/edge.ts'
import { createClientAddress } from './middleware/client-address.ts'
import { logging, requestMetrics, tracing } from './middleware/telemetry.ts'
import { createRateLimit, type RateLimit } from './middleware/limits.ts'
import { buildOpenApiDocument } from './openapi/document.ts'
import { createServedDocument } from './openapi/served-document.ts'
import { createReadiness, createWorkspaceCount } from './routes/shared/health.ts'
import { allowReaders } from './routing/access.ts'
import { listRoutes } from './routes/all.ts'
import { mount } from './routing/mount.ts'
import type { Route } from './routing/route.ts'
import type { AppState } from './routing/state.ts'
import { createAccessOfRoutes } from './mcp/calls/access-of-routes.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { mcpErrors } from './mcp/protocol/errors.ts'
import { protectedResource } from './mcp/protocol/oauth.ts'
import { mcpOrigin } from './mcp/protocol/origin.ts'
import { createCallStates } from './mcp/protocol/request-state.ts'
import { createSubscriptions } from './mcp/subscriptions/subscriptions.ts'
import { createStreamLimit } from './sse/stream-limit.ts'
import { createSseServer } from './sse/sse-server.ts'
import { createWorkspaceStreams } from './sse/workspace-streams.ts'
import { createMemoryBudget } from './fairness/memory-budget.ts'
import { createJsonReader } from './uploads/read-json.ts'
import { scimErrors } from './scim/errors.ts'
import type { Settings } from '../contract/shared/settings.ts'

export interface App {
  /** The request listener for `http.createServer`. */
  handler: RequestListener
  /** Counts a request that is not valid HTTP. Returns the `X-RateLimit-*` headers as lines. */
  countUnread: RateLimit['unread']
  /** All declared routes. */
  routes: Route[]
  /** Makes the readiness check fail, so that load balancers stop sending requests. */
  markStopping(): void
  /** Ends open streams and rejects new ones. */
  closeStreams(): void
}

/** Error codes for connections that the caller closed before the response was sent. */
const LEFT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Builds the HTTP application. It opens no connections and does not listen. */
export function createApp(services: ApiServices, deps: AppDeps): App {
  const { access, jobs, meetings, plans } = services
  const { config, log, events, version } = deps
  const pingSeconds = config.STREAM_PING_SECONDS
  const settings = buildSettings(deps)
  const stream = {
    access,
    events,
    admit: createStreamLimit({ plans, openStreams: deps.openStreams }),
    pingSeconds,
    log,
  }
  const streams = createSseServer({ jobs, ...stream })
  const meetingStreams = createSseServer({ jobs: meetings.snapshots, ...stream })
  const workspaceStreams = createWorkspaceStreams({ ...stream, events: deps.workspaceEvents })
  const rateLimit = createRateLimit({
    limiter: deps.limiter,
    plans,
    addressLimit: config.ADDRESS_REQUESTS_PER_MINUTE,
    toAddress: createClientAddress(config.TRUSTED_PROXIES),
    identify: async ctx => {
      const presented = readCredential(ctx, allowReaders(null))
      return presented && (await access.authenticate(presented)).principal
    },
  })
  let isStopping = false
  const mcp = createMcpEndpoint({
    ...services,
    ...deps,
    countCalls: (ctx, calls) => rateLimit.calls(ctx, calls),
    pingSeconds,
    accessOf: createAccessOfRoutes(() => routes),
    callStates: createCallStates(config.API_KEY_SECRET),
    subscriptions: createSubscriptions({ ...stream, workspaceEvents: deps.workspaceEvents }),
  })
  const routes: Route[] = listRoutes(services, {
    version,
    health: deps.health,
    readMissing: createReadiness(deps.health, log),
    isStopping: () => isStopping,
    stuckRuns: createWorkspaceCount(principal => jobs.countStuck(principal)),
    indexFailures: createWorkspaceCount(principal => services.search.countFailures(principal)),
    settings,
    describe: describeRoutes(() => routes, deps),
    streams,
    meetingStreams,
    workspaceStreams,
    mcp,
    baseUrl: config.BASE_URL,
  })
  const uploads = {
    maxOtherBytes: config.BODY_LIMIT_BYTES,
    memory: createMemoryBudget(config.DOCUMENT_BUFFER_BYTES),
    readJson: createJsonReader(config.BODY_LIMIT_BYTES),
  }
  const answerRoutes = mount(routes, {
    access,
    plans,
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
    cors(config),
    logging(log),
    errors,
    redirects,
    serveConsole(),
    serveWidget(),
    mcpErrors(config),
    scimErrors,
    rateLimit.others,
    mcpOrigin(config),
    protectedResource(config),
    rejectRemovedRoutes,
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
  return {
    handler: (req, res) => void callback(req, res),
    countUnread: rateLimit.unread,
    routes,
    markStopping: () => (isStopping = true),
    closeStreams,
  }
}

/**
 * Builds the OpenAPI document on first use. It cannot be built earlier, because the route list includes the route
 * that returns the document.
 */
const describeRoutes = (routes: () => Route[], { version, config }: AppDeps) =>
  createServedDocument(() => buildOpenApiDocument(routes(), { version, baseUrl: config.BASE_URL }))

function buildSettings({ models, config }: AppDeps): Settings {
  return {
    ...models,
    limits: {
      body_bytes: config.BODY_LIMIT_BYTES,
      document_bytes: config.DOCUMENT_MAX_BYTES,
      file_bytes: Math.min(config.FILE_MAX_BYTES, config.DOCUMENT_MAX_BYTES),
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
