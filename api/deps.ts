import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { JobEventSource, WorkspaceEventSource } from '../domain/runs/job-event-source.ts'
import type { OpenStreams } from '../domain/shared/open-streams.ts'
import type { RateLimiter } from '../domain/access/rate-limiter.ts'
import type { RequestMetrics } from '../observability/request-metrics.ts'
import type { Services } from '../services/services.ts'
import type { McpEndpoint } from './mcp/endpoint.ts'
import type { ServerDeps } from './mcp/build-server.ts'
import type { InRequest } from './middleware/edge.ts'
import type { ServedDocument } from './openapi/served-document.ts'
import type { ReadHealth, RequiredComponent } from './routes/shared/health.ts'
import type { SseServer } from './sse/sse-server.ts'
import type { WorkspaceStreams } from './sse/workspace-streams.ts'
import type { Principal } from '../domain/access/principal.ts'
import type { ModelSettings, Settings } from '../contract/shared/settings.ts'
import type { ReceiveFromSlack } from '../services/channels/slack/receive.ts'
import type { Hooks } from '../services/triggers/hooks/hooks.ts'

/** The services that routes and the MCP server call. */
export interface ApiServices extends Services {
  hooks: Hooks
  receiveFromSlack: ReceiveFromSlack
}

/** Process-wide dependencies of an application. */
export interface AppDeps {
  limiter: RateLimiter
  openStreams: OpenStreams
  events: JobEventSource
  workspaceEvents: WorkspaceEventSource
  health: ReadHealth
  inRequest: InRequest
  /** Absent if the process doesn't serve metrics. */
  requestMetrics?: RequestMetrics
  isTraced?: boolean
  models: ModelSettings
  /** Extends the MCP server of each request. For tests. */
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
    | 'FILE_MAX_BYTES'
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

/** Dependencies that the application creates for its routes. */
export interface RouteDeps {
  version: string
  health: ReadHealth
  /** Returns the required components that are down. */
  readMissing: () => Promise<RequiredComponent[]>
  isStopping: () => boolean
  stuckRuns: (principal: Principal) => Promise<number | undefined>
  indexFailures: (principal: Principal) => Promise<number | undefined>
  settings: Settings
  /** Returns the OpenAPI document for all routes. */
  describe: () => Promise<ServedDocument>
  streams: SseServer
  meetingStreams: SseServer
  workspaceStreams: WorkspaceStreams
  mcp: McpEndpoint
  /** Public URL of the API, if it is set. */
  baseUrl: string | undefined
}
