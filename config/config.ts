import { z } from 'zod'
import { encryptionKeysSetting } from './encryption-keys.ts'
import { modelList, modelProblems } from './models.ts'
import { planSetting, STANDARD_PLAN } from './plans.ts'
import { readSecretFiles } from './secret-files.ts'
import { secretsSetting } from './secrets.ts'
import { certificateSetting, clientCertificateProblems, privateKeySetting } from './temporal-tls.ts'
import { identityProblems, USER_SOURCES, userPrefix } from './identities.ts'
import { JWT_ALGORITHMS, keySetSetting } from './user-tokens.ts'

const flag = z.enum(['true', 'false']).transform(v => v === 'true')
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must be CIDRs such as 10.0.0.0/8, with commas')
const integer = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)
const integerUpTo = (max: number) => z.coerce.number().int().min(1).max(max)

const DEFAULT_EMBEDDING = 'sentence-transformers/all-MiniLM-L6-v2'
/** The length of the vectors of the default embedding model. */
export const DEFAULT_DIMENSIONS = 384

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

/** Settings of `SECRET_SETTINGS` can also come from files. */
const schema = z.object({
  /** Connection as the role of the application, which does not own tables and cannot bypass row-level security. */
  DATABASE_URL: z.url(),
  /** Connection as the owner of the tables. Only migrations use it. */
  DATABASE_ADMIN_URL: z.url().optional(),
  DATABASE_POOL: integer(20, 1),
  REDIS_URL: z.url(),
  /** The CAs of the certificate of Redis. Those of the system if absent. PEM, or the path of a file. */
  REDIS_TLS_CA: certificateSetting.optional(),
  TEMPORAL_ADDRESS: z.string().min(1),
  /** Connects to Temporal with TLS. The settings below and an API key imply it. */
  TEMPORAL_TLS: flag.default(false),
  /** The CAs of the server's certificate. Those of the system if absent. PEM, or the path of a file, as for the next two. */
  TEMPORAL_TLS_CA: certificateSetting.optional(),
  /** The certificate of this client and its key, for a server that asks for one. */
  TEMPORAL_TLS_CERT: certificateSetting.optional(),
  TEMPORAL_TLS_KEY: privateKeySetting.optional(),
  /** The name in the server's certificate. That of TEMPORAL_ADDRESS if absent. */
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  /** Keys that encrypt payloads in Temporal, by id, and the id of the one that encrypts. Others decrypt only. */
  TEMPORAL_ENCRYPTION_KEYS: encryptionKeysSetting.optional(),
  TEMPORAL_ENCRYPTION_KEY_ID: z.string().optional(),
  /** Slug of the workspace whose owners, admins and operators may decrypt payloads for the Temporal UI. */
  OPERATORS_WORKSPACE: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('ganglion'),
  /** URL of the Temporal UI, with which links in job records start. */
  TEMPORAL_UI_URL: z.url().default('http://127.0.0.1:8233'),
  ELASTICSEARCH_URL: z.url().optional(),
  ELASTICSEARCH_API_KEY: z.string().optional(),
  /** Prefix of the names of all search indices. */
  SEARCH_INDEX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,60}$/, 'must have lower-case letters, digits and hyphens')
    .default('ganglion'),

  /** OpenAI-compatible URL of the speech service, without `/audio/transcriptions`. */
  SPEECH_URL: z.url().optional(),
  SPEECH_API_KEY: z.string().optional(),
  SPEECH_MODEL: z.string().min(1).default('whisper-1'),
  SPEECH_USD_PER_MINUTE: z.coerce.number().min(0).default(0),
  /** Time limit of one request, which carries about a minute of audio. */
  SPEECH_TIMEOUT_SECONDS: integer(300, 1),
  /** Concurrent requests for one audio. */
  SPEECH_CONCURRENCY: integer(2, 1),
  /** Size limit of a transcribed audio after decompression and decoding. */
  AUDIO_MAX_BYTES: integer(104_857_600, 1024),
  AUDIO_MAX_SECONDS: integer(21_600, 1),
  /** A meeting ends after this time without audio. */
  MEETING_IDLE_MINUTES: z.coerce.number().min(0.01).default(720),

  HOST: z.string().default('127.0.0.1'),
  PORT: integer(8080),
  /** Of one API process. */
  MAX_CONNECTIONS: integer(10_000, 1),
  BASE_URL: z.url().optional(),
  /** Ports of `GET /metrics` of the API and of the worker. Each is off if absent. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** OTLP/HTTP address to which spans are sent, without `/v1/traces`. Tracing is off if absent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of requests that are traced, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_SECONDS: integer(20, 1),

  /** Key of the HMAC of stored API keys. At least 32 characters. */
  API_KEY_SECRET: z.string().min(32),

  /** What workspaces may use, by the name of the plan: a JSON object, or the path of a file with one. */
  PLANS: planSetting,
  /** The plan of workspaces that have none of their own. */
  DEFAULT_PLAN: z.string().default(STANDARD_PLAN),
  /** Requests per minute of one address, counted where no credential is accepted. */
  ADDRESS_REQUESTS_PER_MINUTE: integer(600, 1),
  /** Addresses of proxies, as CIDR, whose `X-Forwarded-For` names the client. By default none. */
  TRUSTED_PROXIES: list.pipe(z.array(network)).default([]),
  /** Origins whose pages may call the API, such as https://app.example.com. None by default. */
  CORS_ORIGINS: list
    .pipe(z.array(z.url().refine(isOrigin, 'must be an origin such as https://app.example.com')))
    .default([]),
  /** User tokens, which browsers send with a publishable key: their `iss` and `aud`, and the keys that sign them. */
  JWT_ISSUER: z.string().min(1).optional(),
  JWT_AUDIENCE: z.string().min(1).optional(),
  /** The public keys: the URL of a JSON Web Key Set, or the set itself (JSON, or the path of a file). */
  JWT_JWKS_URL: z.url().optional(),
  JWT_KEYS: keySetSetting.optional(),
  JWT_ALGORITHMS: list.pipe(z.array(z.enum(JWT_ALGORITHMS)).min(1)).default(['RS256', 'ES256', 'EdDSA']),
  /** The claim with the name of the user, and what is before it in the name of the member: `ann` is `user:ann`. */
  JWT_USER_CLAIM: z.string().min(1).default('sub'),
  JWT_USER_PREFIX: userPrefix,
  /** Sign-in by OpenID Connect. Needs BASE_URL, to which the provider sends users back. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_SCOPE: z.string().default('openid email profile'),
  /** The claim of the ID token with the name of the user. */
  OIDC_USER_CLAIM: z.string().min(1).default('sub'),
  OIDC_USER_PREFIX: userPrefix,
  /**
   * Access tokens of MCP clients: the authorization server that issues them for `BASE_URL`/v1/mcp, its keys (by default those
   * that its metadata name), and the claims with the user and with the slug of the workspace.
   */
  OAUTH_ISSUER: z.url().optional(),
  OAUTH_JWKS_URL: z.url().optional(),
  OAUTH_USER_CLAIM: z.string().min(1).default('sub'),
  OAUTH_USER_PREFIX: userPrefix,
  OAUTH_WORKSPACE_CLAIM: z.string().min(1).default('workspace'),
  /** The workspace of tokens that name none. */
  OAUTH_WORKSPACE: z.string().min(1).optional(),
  /** Sources whose users with one name are one person, such as `OIDC,OAUTH`. Others need prefixes of their own. */
  SAME_USERS: list.pipe(z.array(z.enum(USER_SOURCES))).default([]),
  /** Sessions end after this time. */
  SESSION_HOURS: integer(24, 1),

  BODY_LIMIT_BYTES: integer(1_048_576, 1024),
  IDEMPOTENCY_HOURS: integer(24, 1),

  /** Days after which ended runs are removed, and idle threads of the type `system`. */
  RETENTION_JOB_DAYS: integer(90, 1),
  /** Days after which deleted resources and threads are removed permanently. */
  RETENTION_DELETED_DAYS: integer(30, 1),
  /** Days without a message after which a thread of a person is removed. Kept if absent, like usage and audit log. */
  RETENTION_THREAD_DAYS: z.coerce.number().int().min(1).optional(),
  RETENTION_USAGE_DAYS: z.coerce.number().int().min(1).optional(),
  RETENTION_AUDIT_DAYS: z.coerce.number().int().min(365).optional(),
  /** Days that firings of triggers are kept: events, decisions, and the keys by which repeated events are recognized. */
  RETENTION_FIRING_DAYS: integer(30, 1),
  /** Interval of the removals. */
  RETENTION_INTERVAL_HOURS: integer(24, 1),

  STREAM_MAX_LENGTH: integer(10_000, 10),
  STREAM_TTL_SECONDS: integer(86_400, 1),
  STREAM_PING_SECONDS: integer(15, 1),

  /** A webhook whose deliveries have only failed for this long is disabled. */
  WEBHOOK_DISABLE_DAYS: z.coerce.number().min(0.001).default(5),
  /** How long the log keeps an ended delivery. */
  WEBHOOK_LOG_DAYS: z.coerce.number().min(0.001).default(30),

  /** API keys of model providers, which serve ids such as `openai:gpt-5.4`. The URLs are for gateways. */
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: z.url().optional(),
  GOOGLE_API_KEY: z.string().optional(),
  GOOGLE_BASE_URL: z.url().optional(),
  /** An OpenAI-compatible URL; it serves all ids without such a prefix. */
  MODEL_BASE_URL: z.url().optional(),
  MODEL_API_KEY: z.string().optional(),
  /** The model used where a neuron or node names none. Unset, such a run fails with UNKNOWN_MODEL. */
  MODEL_DEFAULT: z.string().min(1).optional(),
  /** What is known of models, beside and above the built-in table: a JSON list, or the path of a file with one. */
  MODELS: modelList.optional(),

  /** The embedding model, by its name at the server. A change needs a rebuild of the index. */
  EMBEDDING_MODEL: z.string().min(1).default(DEFAULT_EMBEDDING),
  /** OpenAI-compatible URL of the embedding server. MODEL_BASE_URL with MODEL_API_KEY if absent. */
  EMBEDDING_BASE_URL: z.url().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  /** Dimensions of the vectors. */
  EMBEDDING_DIMENSIONS: integerUpTo(4_096).optional(),
  /** Size of chunks, in estimated tokens. Other texts may have twice as many. */
  EMBEDDING_CHUNK_TOKENS: integer(256, 16),
  /** Texts per request. */
  EMBEDDING_BATCH: integer(32, 1),
  EMBEDDING_TIMEOUT_SECONDS: integer(60, 1),
  /** Price of a million tokens in USD, for the ledger. */
  EMBEDDING_USD_PER_MTOK: z.coerce.number().min(0).default(0),

  /** Size limit of an ingested document after decompression and decoding. */
  DOCUMENT_MAX_BYTES: integer(52_428_800, 1024),
  /** Bytes of documents that an API process buffers at a time. Ingests beyond it get 503. */
  DOCUMENT_BUFFER_BYTES: integer(268_435_456, 1024),
  /** Documents that a worker reads at a time, each in its own process. */
  DOCUMENT_READERS: integer(3, 1),
  /** Limits of such a process. A document that needs more time or memory is refused. */
  DOCUMENT_READER_SECONDS: integer(120, 1),
  DOCUMENT_READER_BYTES: integer(629_145_600, 67_108_864),
  /** Limit of the text of a document, in characters. */
  DOCUMENT_MAX_CHARACTERS: integer(20_000_000, 1),
  /** Page limit of a PDF. */
  DOCUMENT_MAX_PAGES: integer(5_000, 1),
  /** Time limit of one attempt to read a document, including the wait for a free reader. */
  DOCUMENT_ATTEMPT_SECONDS: integer(3_600, 1),

  /** Private addresses that outbound calls of nodes may reach, as CIDR. */
  OUTBOUND_ALLOW: list.default([]),
  OUTBOUND_TIMEOUT_SECONDS: integer(3_600, 1),
  OUTBOUND_MAX_BYTES: integer(1_048_576, 1024),

  /** Size limit of the result of a tool. A longer result is cut with a note. */
  TOOL_OUTPUT_MAX_BYTES: integer(65_536, 1024),
  /** Credentials for tool calls by name: `{name: {value, hosts, workspaces?}}`, or the path of a file with them. */
  SECRETS: secretsSetting,
  /** Keys that encrypt the secrets of workspaces, by id, and the id of the one that encrypts. Others decrypt only. */
  SECRETS_ENCRYPTION_KEYS: encryptionKeysSetting.optional(),
  SECRETS_ENCRYPTION_KEY_ID: z.string().optional(),

  /** Keys that sign evidence, by id, and the id of the one that signs. The public parts of all are published. */
  EVIDENCE_KEYS: encryptionKeysSetting.optional(),
  EVIDENCE_KEY_ID: z.string().optional(),

  /** Payloads above this size go to Postgres; Temporal history keeps a reference. */
  PAYLOAD_INLINE_BYTES: integer(65_536, 1024),
  /** The build of a worker, such as the tag of its image. Its runs stay with it; new ones begin when it is made current. */
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must have letters, digits, dots, hyphens and underscores')
    .optional(),
  WORKER_WORKFLOW_TASKS: integer(10, 1),
  /** Runs that a worker keeps in memory, about 1 MB each. Others are read from their histories when they go on. */
  WORKER_CACHED_RUNS: integer(1_000, 2),
  /** Activities at a time, and local ones. One workspace gets half of them at most. */
  WORKER_ACTIVITIES: integer(500, 2),
  /** Stack traces of promises in workflows, for debugging in the Temporal UI. They cost a tenth of a step. */
  WORKFLOW_STACK_TRACES: flag.default(false),
  WORKFLOW_BUNDLE: z.string().default('build/workflow-bundle.js'),
  /** A folder that makes builds of the bundle quicker, for one worker at a time. The development stack sets it. */
  WORKFLOW_BUNDLE_CACHE: z.string().optional(),
  /** The worker registers the search attributes that the namespace lacks. */
  CREATE_SEARCH_ATTRIBUTES: flag.default(true),
})

export type Config = z.infer<typeof schema>

const wholeSchema = schema.superRefine((config, context) => {
  const checks = [
    embeddingProblems,
    modelProblems,
    planProblems,
    retentionProblems,
    signInProblems,
    identityProblems,
    encryptionProblems,
    clientCertificateProblems,
    deploymentProblems,
  ]
  for (const [setting, message] of checks.flatMap(check => check(config)))
    context.addIssue({ code: 'custom', path: [setting], message })
})

const planProblems = ({ PLANS, DEFAULT_PLAN }: Config): [setting: string, message: string][] =>
  DEFAULT_PLAN in PLANS ? [] : [['DEFAULT_PLAN', `there is no such plan; PLANS has ${Object.keys(PLANS).join(', ')}`]]

/** The repeat of a request finds its job as long as its key lives. */
function retentionProblems(config: Config): [setting: string, message: string][] {
  if (config.RETENTION_JOB_DAYS * 24 >= config.IDEMPOTENCY_HOURS) return []
  return [['RETENTION_JOB_DAYS', 'must not be shorter than IDEMPOTENCY_HOURS']]
}

function embeddingProblems(config: Config): [setting: string, message: string][] {
  const { EMBEDDING_MODEL: model } = config
  if (model === DEFAULT_EMBEDDING) return []
  const problems: [string, string][] = []
  if (!config.EMBEDDING_DIMENSIONS)
    problems.push(['EMBEDDING_DIMENSIONS', `is needed: the length of the vectors of ${model}`])
  if (!config.EMBEDDING_BASE_URL && !config.MODEL_BASE_URL)
    problems.push(['EMBEDDING_BASE_URL', `is needed: the URL of the server of ${model}`])
  return problems
}

/** Builds of workers belong to a deployment with the name of the task queue, and Temporal separates both by these. */
const deploymentProblems = (config: Config): [setting: string, message: string][] =>
  config.WORKER_BUILD_ID !== undefined && /[.:]/.test(config.TEMPORAL_TASK_QUEUE)
    ? [['TEMPORAL_TASK_QUEUE', 'must not have dots or colons when WORKER_BUILD_ID is set']]
    : []

const encryptionProblems = (config: Config): [setting: string, message: string][] => [
  ...keyIdProblems('TEMPORAL_ENCRYPTION_KEY', config.TEMPORAL_ENCRYPTION_KEYS, config.TEMPORAL_ENCRYPTION_KEY_ID),
  ...keyIdProblems('EVIDENCE_KEY', config.EVIDENCE_KEYS, config.EVIDENCE_KEY_ID),
  ...keyIdProblems('SECRETS_ENCRYPTION_KEY', config.SECRETS_ENCRYPTION_KEYS, config.SECRETS_ENCRYPTION_KEY_ID),
]

function keyIdProblems(
  name: string,
  keys: Record<string, unknown> | undefined,
  id: string | undefined,
): [setting: string, message: string][] {
  if (keys === undefined && id === undefined) return []
  return id !== undefined && keys?.[id] !== undefined ? [] : [[`${name}_ID`, `must be one of ${name}S`]]
}

function signInProblems(config: Config): [setting: string, message: string][] {
  const needs = (present: boolean, setting: keyof Config, why: string): [string, string][] =>
    present && config[setting] === undefined ? [[setting, `is needed with ${why}`]] : []
  const hasKeys = config.JWT_JWKS_URL !== undefined || config.JWT_KEYS !== undefined
  const hasProvider = config.OIDC_ISSUER !== undefined
  return [
    ...needs(hasKeys, 'JWT_ISSUER', 'the keys of user tokens'),
    ...needs(hasKeys, 'JWT_AUDIENCE', 'the keys of user tokens'),
    ...needs(hasProvider, 'OIDC_CLIENT_ID', 'OIDC_ISSUER'),
    ...needs(hasProvider, 'BASE_URL', 'OIDC_ISSUER'),
    ...needs(config.OAUTH_ISSUER !== undefined, 'BASE_URL', 'OAUTH_ISSUER'),
  ]
}

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape)

type Environment = Record<string, string | undefined>

/** Parses all settings, and reads those that are in files. Throws an error that lists every problem. */
export const readConfig = (env: Environment): Config => parse(wholeSchema, env)

/** Parses the settings of migrations, which need no others. Throws as `readConfig` does. */
export const readDatabaseConfig = (env: Environment): Pick<Config, 'DATABASE_URL' | 'DATABASE_ADMIN_URL'> =>
  parse(schema.pick({ DATABASE_URL: true, DATABASE_ADMIN_URL: true }), env)

function parse<T>(schemaOfSettings: z.ZodType<T>, env: Environment): T {
  const { settings, problems: fileProblems } = readSecretFiles(env)
  const parsed = schemaOfSettings.safeParse(settings)
  if (parsed.success && fileProblems.length === 0) return parsed.data
  const inFiles = new Set(fileProblems.map(({ setting }) => setting))
  const issues = (parsed.error?.issues ?? []).filter(({ path: [setting] }) => !inFiles.has(String(setting)))
  const problems = [
    ...fileProblems.map(({ setting, message }) => `  ${setting}_FILE: ${message}`),
    ...issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`),
  ]
  throw new Error(`The configuration has problems:\n${problems.join('\n')}`)
}
