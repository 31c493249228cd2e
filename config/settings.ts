import { z } from 'zod'
import { isOrigin } from '../domain/access/origins.ts'
import { encryptionKeysSetting } from './encryption-keys.ts'
import { ROLE_NAMES } from '../domain/access/permissions.ts'
import { USER_SOURCES, userPrefix } from './identities.ts'
import { groupMap, roleMap } from './provider-maps.ts'
import { modelList } from './models.ts'
import { planSetting, STANDARD_PLAN } from './plans.ts'
import { secretsSetting } from './secrets.ts'
import { certificateSetting, privateKeySetting } from './temporal-tls.ts'
import { JWT_ALGORITHMS, keySetSetting } from './user-tokens.ts'

const flag = z.enum(['true', 'false']).transform(v => v === 'true')
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const network = z.union(
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
  'must be CIDRs such as 10.0.0.0/8, separated by commas',
)
const buildId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must have only letters, digits, dots, hyphens and underscores')
const integer = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)
const integerUpTo = (max: number) => z.coerce.number().int().min(1).max(max)

export const DEFAULT_EMBEDDING = 'sentence-transformers/all-MiniLM-L6-v2'
/** The number of vector dimensions of the default embedding model. */
export const DEFAULT_DIMENSIONS = 384

const stores = {
  DATABASE_URL: z.url().describe('Postgres URL for the application role, which is subject to row-level security'),
  DATABASE_ADMIN_URL: z
    .url()
    .optional()
    .describe('Postgres URL for the role that owns the tables. Only migrations use this URL'),
  DATABASE_POOL: integer(20, 1).describe('Maximum Postgres connections per process'),
  REDIS_URL: z.url().describe('Redis URL; `rediss://` connects with TLS'),
  REDIS_TLS_CA: certificateSetting
    .optional()
    .describe("CA certificate for Redis: PEM, or the path of a file. Default: the system's CAs"),
  ELASTICSEARCH_URL: z.url().optional().describe('Elasticsearch URL. Without it, search returns 503'),
  ELASTICSEARCH_API_KEY: z.string().optional().describe('Elasticsearch API key'),
  SEARCH_INDEX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,60}$/, 'must have only lower-case letters, digits and hyphens')
    .default('ganglion')
    .describe('Prefix of all index names'),
  SEARCH_TIMEOUT_SECONDS: integer(3, 2).describe('Time limit for a search'),
}

const temporal = {
  TEMPORAL_ADDRESS: z.string().min(1).describe("Temporal's host and port"),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace'),
  TEMPORAL_TASK_QUEUE: z.string().default('ganglion').describe('Task queue for the API and the worker'),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of the worker deployment that builds belong to. Default: `TEMPORAL_TASK_QUEUE`. The Temporal Worker Controller sets it in workers',
    ),
  TEMPORAL_TLS: flag
    .default(false)
    .describe('Connect with TLS. Setting an API key or one of the TLS settings also turns TLS on'),
  TEMPORAL_TLS_CA: certificateSetting
    .optional()
    .describe("CA certificate for Temporal: PEM, or the path of a file. Default: the system's CAs"),
  TEMPORAL_TLS_CERT: certificateSetting
    .optional()
    .describe('Client certificate, if Temporal requires one: PEM, or the path of a file'),
  TEMPORAL_TLS_KEY: privateKeySetting
    .optional()
    .describe('Private key for the client certificate: PEM, or the path of a file'),
  TEMPORAL_TLS_SERVER_NAME: z
    .string()
    .min(1)
    .optional()
    .describe("Host name in Temporal's certificate. Default: the host in `TEMPORAL_ADDRESS`"),
  TEMPORAL_API_KEY: z.string().optional().describe('Temporal API key, for example for Temporal Cloud'),
  TEMPORAL_ENCRYPTION_KEYS: encryptionKeysSetting
    .optional()
    .describe('Keys for encrypting payloads in Temporal, by id: JSON, or the path of a file'),
  TEMPORAL_ENCRYPTION_KEY_ID: z
    .string()
    .optional()
    .describe('Id of the key that encrypts new payloads. The other keys only decrypt'),
  TEMPORAL_UI_URL: z.url().default('http://127.0.0.1:8233').describe('Temporal UI URL, used for links in job records'),
  CREATE_SEARCH_ATTRIBUTES: flag
    .default(true)
    .describe('Whether the worker registers missing search attributes in the namespace'),
  OPERATORS_WORKSPACE: z
    .string()
    .optional()
    .describe('Slug of the workspace whose owners, admins and operators may decrypt payloads for the Temporal UI'),
}

const api = {
  HOST: z.string().default('127.0.0.1').describe('Address that the API listens on'),
  PORT: integer(8080).describe('Port that the API listens on'),
  BASE_URL: z
    .url()
    .optional()
    .describe(
      'Public URL of the API, used in links and in the OpenAPI document. Set it for both the API and the worker',
    ),
  MAX_CONNECTIONS: integer(10_000, 1).describe(
    'Maximum connections per API process, including open streams. One workspace may use half of them; beyond that, its requests get 429',
  ),
  BODY_LIMIT_BYTES: integer(1_048_576, 1024).describe('Maximum size of a request body, after decompression'),
  IDEMPOTENCY_HOURS: integer(24, 1).describe('Time for which an `Idempotency-Key` is remembered'),
  ADDRESS_REQUESTS_PER_MINUTE: integer(600, 1).describe(
    'Maximum requests per minute from each address without a valid credential',
  ),
  TRUSTED_PROXIES: list
    .pipe(z.array(network))
    .default([])
    .describe('CIDRs of proxies that are trusted to name the client in `X-Forwarded-For`, separated by commas'),
  CORS_ORIGINS: list
    .pipe(z.array(z.url().refine(isOrigin, 'must be an origin such as https://app.example.com')))
    .default([])
    .describe('Origins whose pages may call the API, separated by commas'),
  STREAM_MAX_LENGTH: integer(10_000, 10).describe('Approximate number of events kept per stream'),
  STREAM_TTL_SECONDS: integer(86_400, 1).describe(
    'Time for which a stream is kept after the run ends, or after the latest event in a workspace',
  ),
  STREAM_PING_SECONDS: integer(15, 1).describe('Interval between keep-alive messages in a stream'),
  SHUTDOWN_SECONDS: integer(20, 1).describe('Time allowed for finishing work in progress after SIGTERM'),
  SHUTDOWN_DELAY_SECONDS: integer(0).describe(
    'Time after SIGTERM in which the API still accepts requests, so that load balancers notice that `/v1/health/ready` fails',
  ),
}

const claimName = z.string().min(1).max(200)

const access = {
  API_KEY_SECRET: z.string().min(32).describe('HMAC key for stored API keys, at least 32 characters'),
  SESSION_HOURS: integer(24, 1).describe('Lifetime of a session'),
  OIDC_ISSUER: z.url().optional().describe('OpenID Connect provider for sign-in. Needs `BASE_URL`'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id registered at the provider'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret from the provider'),
  OIDC_SCOPE: z.string().default('openid email profile').describe('Requested scopes'),
  OIDC_USER_CLAIM: z.string().min(1).default('sub').describe("ID token claim that contains the user's name"),
  OIDC_USER_PREFIX: userPrefix.describe('Text before the colon in the names of these users: `user` makes `user:ann`'),
  OIDC_GROUPS_CLAIM: claimName
    .optional()
    .describe("Claim that contains the user's groups, such as `groups`. Sign-in then updates the member's groups"),
  OIDC_GROUP_MAP: groupMap
    .optional()
    .describe(
      'Groups by claim value: JSON such as `{"0a1b": "group:finance"}`, or the path of a file. Other values are ignored. Default: `finance` becomes `group:finance`',
    ),
  OIDC_ROLES_CLAIM: claimName
    .optional()
    .describe('Claim that contains the values in `OIDC_ROLE_MAP`. Default: `OIDC_GROUPS_CLAIM`'),
  OIDC_ROLE_MAP: roleMap
    .optional()
    .describe(
      'Roles by claim value: JSON such as `{"admins": "admin", "acme-builders": "acme:builder"}`, or the path of a file. `acme:` limits the value to this workspace. Sign-in then updates the member\'s role',
    ),
  OIDC_CREATE_MEMBERS: list
    .default([])
    .describe('Slugs of the workspaces in which sign-in creates members, separated by commas'),
  SCIM_USER_ATTRIBUTE: z
    .enum(['userName', 'externalId'])
    .default('userName')
    .describe('SCIM attribute that contains the name of the member, without the prefix in `OIDC_USER_PREFIX`'),
  PROVISIONED_ROLE: z
    .enum(ROLE_NAMES)
    .default('viewer')
    .describe('Role of members that are created without a mapped role, and of members that lose their mapped role'),
  JWT_ISSUER: z.string().min(1).optional().describe('Issuer (`iss`) of user tokens from browser apps'),
  JWT_AUDIENCE: z.string().min(1).optional().describe('Audience (`aud`) of user tokens'),
  JWT_JWKS_URL: z.url().optional().describe('URL of the public keys (JWKS) for user tokens'),
  JWT_KEYS: keySetSetting
    .optional()
    .describe('Public keys (JWKS) for user tokens, instead of a URL: JSON, or the path of a file'),
  JWT_ALGORITHMS: list
    .pipe(z.array(z.enum(JWT_ALGORITHMS)).min(1))
    .default(['RS256', 'ES256', 'EdDSA'])
    .describe('Signature algorithms accepted for user tokens'),
  JWT_USER_CLAIM: z.string().min(1).default('sub').describe("User token claim that contains the user's name"),
  JWT_USER_PREFIX: userPrefix.describe('Text before the colon in the names of these users'),
  OAUTH_ISSUER: z
    .url()
    .optional()
    .describe('Authorization server that issues access tokens for MCP clients. Needs `BASE_URL`'),
  OAUTH_JWKS_URL: z
    .url()
    .optional()
    .describe("URL of the public keys for access tokens. Default: the URL in the issuer's metadata"),
  OAUTH_USER_CLAIM: z.string().min(1).default('sub').describe("Access token claim that contains the user's name"),
  OAUTH_USER_PREFIX: userPrefix.describe('Text before the colon in the names of these users'),
  OAUTH_WORKSPACE_CLAIM: z
    .string()
    .min(1)
    .default('workspace')
    .describe('Access token claim that contains the workspace slug'),
  OAUTH_WORKSPACE: z.string().min(1).optional().describe('Workspace for access tokens without this claim'),
  SAME_USERS: list
    .pipe(z.array(z.enum(USER_SOURCES)))
    .default([])
    .describe(
      'Sources in which the same name identifies the same person, such as `OIDC,OAUTH`. Other sources need different prefixes',
    ),
}

const limits = {
  PLANS: planSetting.describe('[Workspace plans](limits.md), by name: a JSON object, or the path of a file'),
  DEFAULT_PLAN: z.string().default(STANDARD_PLAN).describe('Plan for workspaces without an assigned plan'),
  PAYLOAD_INLINE_BYTES: integer(65_536, 1024).describe(
    "Payloads larger than this are stored in Postgres instead of Temporal's history",
  ),
}

const models = {
  OPENAI_API_KEY: z.string().optional().describe('API key for models such as `openai:gpt-5.4`'),
  OPENAI_BASE_URL: z.url().optional().describe('URL of an OpenAI gateway, ending in `/v1`'),
  ANTHROPIC_API_KEY: z.string().optional().describe('API key for models such as `anthropic:claude-sonnet-5`'),
  ANTHROPIC_BASE_URL: z.url().optional().describe('URL of an Anthropic gateway, ending in `/v1`'),
  GOOGLE_API_KEY: z.string().optional().describe('API key for models such as `google:gemini-2.5-pro`'),
  GOOGLE_BASE_URL: z.url().optional().describe('URL of a Google gateway, ending in `/v1beta`'),
  MODEL_BASE_URL: z
    .url()
    .optional()
    .describe('OpenAI-compatible URL, such as an Ollama or vLLM server, for all other model names'),
  MODEL_API_KEY: z.string().optional().describe('API key for this server'),
  MODEL_DEFAULT: z
    .string()
    .min(1)
    .optional()
    .describe('Model for agents and nodes that name no model. If unset, they fail with `UNKNOWN_MODEL`'),
  MODELS: modelList.optional().describe('Context sizes and prices of models: a JSON list, or the path of a file'),
}

const embedding = {
  EMBEDDING_BASE_URL: z
    .url()
    .optional()
    .describe('OpenAI-compatible URL of the embedding server, with `/v1`. Default: `MODEL_BASE_URL`'),
  EMBEDDING_API_KEY: z
    .string()
    .optional()
    .describe('API key for the embedding server. Default: `MODEL_API_KEY`, if the URL is also the default'),
  EMBEDDING_MODEL: z
    .string()
    .min(1)
    .default(DEFAULT_EMBEDDING)
    .describe('Name of the embedding model. After a change, run `ganglion-admin reindex`'),
  EMBEDDING_DIMENSIONS: integerUpTo(4_096)
    .optional()
    .describe(
      `Number of vector dimensions. Default: ${DEFAULT_DIMENSIONS} for the default model, required for any other model`,
    ),
  EMBEDDING_CHUNK_TOKENS: integer(256, 16).describe('Size of a chunk, in estimated tokens'),
  EMBEDDING_BATCH: integer(32, 1).describe('Maximum texts per request'),
  EMBEDDING_TIMEOUT_SECONDS: integer(60, 1).describe('Time limit for a request'),
  EMBEDDING_USD_PER_MTOK: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('Price per million tokens in USD, for usage records'),
}

const speech = {
  SPEECH_URL: z
    .url()
    .optional()
    .describe(
      'OpenAI-compatible URL of the speech service, without `/audio/transcriptions`. Unset: transcription is off',
    ),
  SPEECH_API_KEY: z.string().optional().describe('API key for the speech service'),
  SPEECH_MODEL: z.string().min(1).default('whisper-1').describe('Model that the speech service uses'),
  SPEECH_USD_PER_MINUTE: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('Price per minute of audio in USD, for usage records'),
  SPEECH_TIMEOUT_SECONDS: integer(300, 1).describe('Time limit for a request, which contains about a minute of audio'),
  SPEECH_CONCURRENCY: integer(2, 1).describe('Maximum parallel requests per audio file'),
  AUDIO_MAX_BYTES: integer(104_857_600, 1024).describe(
    'Maximum size of an audio file, after decompression and decoding',
  ),
  AUDIO_MAX_SECONDS: integer(21_600, 1).describe('Maximum length of an audio file'),
  MEETING_IDLE_MINUTES: z.coerce
    .number()
    .min(0.01)
    .default(720)
    .describe('Time without audio after which a meeting ends'),
}

const documents = {
  DOCUMENT_MAX_BYTES: integer(52_428_800, 1024).describe(
    'Maximum size of a document, after decompression and decoding',
  ),
  FILE_MAX_BYTES: integer(20_971_520, 1024).describe(
    'Maximum size of a file in a conversation or a form. DOCUMENT_MAX_BYTES also applies',
  ),
  DOCUMENT_BUFFER_BYTES: integer(268_435_456, 1024).describe(
    'Memory for uploads per API process. If it is full, requests get 503. One workspace may use two thirds',
  ),
  DOCUMENT_READERS: integer(3, 1).describe(
    'Documents parsed in parallel per worker, each in its own process. One workspace may use all but one',
  ),
  DOCUMENT_READER_SECONDS: integer(120, 1).describe('Time limit for parsing a document'),
  DOCUMENT_READER_BYTES: integer(629_145_600, 67_108_864).describe('Memory limit for parsing a document'),
  DOCUMENT_MAX_CHARACTERS: integer(20_000_000, 1).describe("Maximum number of characters in a document's text"),
  DOCUMENT_MAX_PAGES: integer(5_000, 1).describe('Maximum number of pages in a PDF'),
  DOCUMENT_ATTEMPT_SECONDS: integer(3_600, 1).describe(
    'Time limit for one attempt to read a document, including the wait for a free reader',
  ),
}

const tools = {
  OUTBOUND_ALLOW: list
    .default([])
    .describe('Private addresses that runs may call: CIDRs, optionally with a port, separated by commas'),
  OUTBOUND_TIMEOUT_SECONDS: integer(3_600, 1).describe('Time limit for one HTTP exchange or model response'),
  OUTBOUND_MAX_BYTES: integer(1_048_576, 1024).describe('Maximum size of a response'),
  TOOL_OUTPUT_MAX_BYTES: integer(65_536, 1024).describe(
    'Maximum size of a tool result. Longer results are truncated, and a note is added',
  ),
  SECRETS: secretsSetting.describe(
    'Credentials for tool calls by name, `{name: {value, hosts, workspaces?}}`: JSON, or the path of a file',
  ),
  SECRETS_ENCRYPTION_KEYS: encryptionKeysSetting
    .optional()
    .describe('Keys for encrypting workspace secrets, by id: JSON, or the path of a file'),
  SECRETS_ENCRYPTION_KEY_ID: z
    .string()
    .optional()
    .describe('Id of the key that encrypts new secrets. The other keys only decrypt'),
}

const channels = {
  SLACK_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://slack.com/api/')
    .describe("URL of Slack's Web API. For GovSlack: `https://slack-gov.com/api/`"),
  EMAIL_POLL_SECONDS: integer(30, 1).describe('Time between two reads of the mailbox of an email channel'),
}

const evidence = {
  EVIDENCE_KEYS: encryptionKeysSetting
    .optional()
    .describe('Keys for signing evidence, by id: JSON, or the path of a file. Their public parts are published'),
  EVIDENCE_KEY_ID: z.string().optional().describe('Id of the key that signs new evidence'),
}

const retention = {
  RETENTION_JOB_DAYS: integer(90, 1).describe('Age at which ended runs and idle `system` threads are removed'),
  RETENTION_DELETED_DAYS: integer(30, 1).describe('Time after which deleted resources and threads are removed'),
  RETENTION_THREAD_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Days without a message after which a thread is removed. Unset: never'),
  RETENTION_USAGE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Age at which usage records are removed. Unset: never'),
  RETENTION_AUDIT_DAYS: z.coerce
    .number()
    .int()
    .min(365)
    .optional()
    .describe('Age at which audit records are removed, at least 365. Unset: never'),
  RETENTION_FIRING_DAYS: integer(30, 1).describe(
    'Age at which trigger firings are removed, including the keys that recognize repeated events',
  ),
  RETENTION_INTERVAL_HOURS: integer(24, 1).describe('Interval between removals'),
  WEBHOOK_DISABLE_DAYS: z.coerce
    .number()
    .min(0.001)
    .default(5)
    .describe('Days of failed deliveries after which a webhook is disabled'),
  WEBHOOK_LOG_DAYS: z.coerce
    .number()
    .min(0.001)
    .default(30)
    .describe('Days for which completed webhook deliveries are kept'),
}

const worker = {
  WORKER_BUILD_ID: buildId
    .optional()
    .describe('Build of the worker, such as its image tag. Runs stay on the build that started them'),
  TEMPORAL_WORKER_BUILD_ID: buildId
    .optional()
    .describe('Another name for `WORKER_BUILD_ID`, which the Temporal Worker Controller sets'),
  WORKER_WORKFLOW_TASKS: integer(10, 1).describe('Maximum parallel workflow tasks per worker'),
  WORKER_ACTIVITIES: integer(500, 2).describe('Maximum parallel activities per worker. One workspace may use half'),
  WORKER_CACHED_RUNS: integer(1_000, 2).describe(
    'Runs kept in memory per worker, about 0.25 MB each. Other runs are replayed from their history when they continue',
  ),
  WORKFLOW_STACK_TRACES: flag
    .default(false)
    .describe('Show run call stacks in the Temporal UI, for debugging. Adds about a tenth to the cost of each step'),
  WORKFLOW_BUNDLE: z.string().default('build/workflow-bundle.js').describe('Path of the bundled workflow code'),
  WORKFLOW_BUNDLE_CACHE: z
    .string()
    .optional()
    .describe('Cache folder that speeds up builds of the workflow code. Only one worker at a time may use it'),
}

const observability = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Port for the API's `GET /metrics`. If unset, metrics are off"),
  WORKER_METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Port for the worker's `GET /metrics`. If unset, metrics are off"),
  WORKER_HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Port for the worker's `GET /live` and `GET /ready`. If unset, off. The image sets 8081"),
  WORKER_HEALTH_HOST: z
    .string()
    .default('127.0.0.1')
    .describe("Address that the worker's health server listens on. The image sets 0.0.0.0"),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that the metrics servers listen on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OTLP/HTTP endpoint for traces, without `/v1/traces`. If unset, tracing is off'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('Share of requests to trace'),
}

/** All settings, in the groups used by the reference. Settings in `SECRET_SETTINGS` can also come from files. */
export const SETTING_GROUPS = {
  'Postgres, Redis and Elasticsearch': stores,
  Temporal: temporal,
  API: api,
  'Sign-in and credentials': access,
  Plans: limits,
  'Language models': models,
  Embeddings: embedding,
  Speech: speech,
  Documents: documents,
  'Tools and secrets': tools,
  Channels: channels,
  Evidence: evidence,
  Retention: retention,
  Worker: worker,
  'Logs, metrics and traces': observability,
}

export const settings = z.object({
  ...stores,
  ...temporal,
  ...api,
  ...access,
  ...limits,
  ...models,
  ...embedding,
  ...speech,
  ...documents,
  ...tools,
  ...channels,
  ...evidence,
  ...retention,
  ...worker,
  ...observability,
})
