import { z } from 'zod'
import { modelList, modelProblems } from './models.ts'
import { secretsSetting } from './secrets.ts'

const flag = z.enum(['true', 'false']).transform(v => v === 'true')
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const integer = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)
const integerUpTo = (max: number) => z.coerce.number().int().min(1).max(max)

const BUILTIN_EMBEDDING = 'builtin:all-MiniLM-L6-v2-int8'

const schema = z.object({
  /** Connection of the app's role: no owner, no bypass of row-level security. */
  DATABASE_URL: z.url(),
  /** Connection that owns the tables; only migrations use it. */
  DATABASE_ADMIN_URL: z.url().optional(),
  DATABASE_POOL: integer(20, 1),
  REDIS_URL: z.url(),
  TEMPORAL_ADDRESS: z.string().min(1),
  /** For a Temporal behind TLS; an API key implies it. */
  TEMPORAL_TLS: flag.default(false),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('ganglion'),
  /** Where people open the Temporal UI; links in job records start with it. */
  TEMPORAL_UI_URL: z.url().default('http://127.0.0.1:8233'),
  ELASTICSEARCH_URL: z.url().optional(),
  ELASTICSEARCH_API_KEY: z.string().optional(),
  /** What the names of all search indices begin with. */
  SEARCH_INDEX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,60}$/, 'has lower-case letters, digits and hyphens')
    .default('ganglion'),

  /** Speech to text: the OpenAI-compatible URL that `/audio/transcriptions` follows on. */
  SPEECH_URL: z.url().optional(),
  SPEECH_API_KEY: z.string().optional(),
  SPEECH_MODEL: z.string().min(1).default('whisper-1'),
  SPEECH_USD_PER_MINUTE: z.coerce.number().min(0).default(0),
  /** Of one request, which carries about a minute of audio. */
  SPEECH_TIMEOUT_SECONDS: integer(300, 1),
  /** Requests at a time for one audio. */
  SPEECH_CONCURRENCY: integer(2, 1),
  /** Of an audio that is sent to be written down, after inflation and decoding. */
  AUDIO_MAX_BYTES: integer(104_857_600, 1024),
  AUDIO_MAX_SECONDS: integer(21_600, 1),
  /** A meeting that nobody has sent audio to for so long ends. */
  MEETING_IDLE_MINUTES: z.coerce.number().min(0.01).default(720),

  HOST: z.string().default('127.0.0.1'),
  PORT: integer(8080),
  BASE_URL: z.url().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_SECONDS: integer(20, 1),

  /** Key of the HMAC under which API keys are stored. At least 32 characters. */
  API_KEY_SECRET: z.string().min(32),

  BODY_LIMIT_BYTES: integer(1_048_576, 1024),
  IDEMPOTENCY_HOURS: integer(24, 1),

  STREAM_MAX_LENGTH: integer(10_000, 10),
  STREAM_TTL_SECONDS: integer(86_400, 1),
  STREAM_PING_SECONDS: integer(15, 1),

  /** Language models. A provider with a key answers for ids such as `openai:gpt-5.4`; the URLs are for gateways. */
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: z.url().optional(),
  GOOGLE_API_KEY: z.string().optional(),
  GOOGLE_BASE_URL: z.url().optional(),
  /** Any OpenAI-compatible URL: it answers for all ids without such a prefix. Without any, `builtin:extractive` does. */
  MODEL_BASE_URL: z.url().optional(),
  MODEL_API_KEY: z.string().optional(),
  /** The model used where a node names none. */
  MODEL_DEFAULT: z.string().min(1).default('builtin:extractive'),
  /** What is known of models, beside and above the built-in table: a JSON list, or the path of a file with one. */
  MODELS: modelList.optional(),

  /** What turns texts into vectors: the built-in model, or one of a provider. Another one needs a rebuild of the index. */
  EMBEDDING_MODEL: z.string().min(1).default(BUILTIN_EMBEDDING),
  /** The folder of the built-in model: config.json, tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx. */
  EMBEDDING_MODEL_DIR: z.string().optional(),
  /** A model hub, such as https://huggingface.co/, to fetch the built-in model from; the folder keeps what was fetched. */
  EMBEDDING_MODEL_HUB: z.url().optional(),
  /** Cores the built-in model may use at once. */
  EMBEDDING_THREADS: integer(2, 1),
  /** The provider's OpenAI-compatible URL. Left out, MODEL_BASE_URL with MODEL_API_KEY. */
  EMBEDDING_BASE_URL: z.url().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  /** Length of the vectors of a provider's model. */
  EMBEDDING_DIMENSIONS: integerUpTo(4_096).optional(),
  /** Size of chunks for a provider's model, in tokens. Of other texts it gets at most twice as much. */
  EMBEDDING_CHUNK_TOKENS: integer(256, 16),
  /** Texts per request to a provider. */
  EMBEDDING_BATCH: integer(64, 1),
  EMBEDDING_TIMEOUT_SECONDS: integer(60, 1),
  /** What a million tokens cost, for the ledger. */
  EMBEDDING_USD_PER_MTOK: z.coerce.number().min(0).default(0),

  /** Of a document that is ingested, after inflation and decoding. */
  DOCUMENT_MAX_BYTES: integer(52_428_800, 1024),
  /** Bytes of documents that an API process holds at a time; beyond it, ingests are told to come again. */
  DOCUMENT_BUFFER_BYTES: integer(268_435_456, 1024),
  /** Documents that a worker reads at a time, each in a process of its own. */
  DOCUMENT_READERS: integer(2, 1),
  /** Of such a process. What needs more time or memory is refused as too slow or too large. */
  DOCUMENT_READER_SECONDS: integer(120, 1),
  DOCUMENT_READER_BYTES: integer(629_145_600, 67_108_864),
  /** Of a document's text, in characters. */
  DOCUMENT_MAX_CHARACTERS: integer(20_000_000, 1),
  /** Of a PDF. */
  DOCUMENT_MAX_PAGES: integer(5_000, 1),
  /** Of one attempt at reading a document, with the wait for a free reader; then it goes to the end of the line. */
  DOCUMENT_ATTEMPT_SECONDS: integer(3_600, 1),

  /** Private addresses that outbound calls of nodes may reach, as CIDR. */
  OUTBOUND_ALLOW: list.default([]),
  OUTBOUND_TIMEOUT_SECONDS: integer(3_600, 1),
  OUTBOUND_MAX_BYTES: integer(1_048_576, 1024),

  /** What a tool gives back; more is cut, and says so. */
  TOOL_OUTPUT_MAX_BYTES: integer(65_536, 1024),
  /** Credentials by name, for the calls of tools: `{name: {value, hosts, workspaces?}}`, or the path of such a file. */
  SECRETS: secretsSetting,

  /** Payloads above this size go to Postgres; Temporal history keeps a reference. */
  PAYLOAD_INLINE_BYTES: integer(65_536, 1024),
  WORKER_WORKFLOW_TASKS: integer(40, 1),
  WORKER_ACTIVITIES: integer(100, 1),
  WORKFLOW_BUNDLE: z.string().default('build/workflow-bundle.js'),
  /** Whether the worker registers the search attributes it needs in the namespace, where they are missing. */
  CREATE_SEARCH_ATTRIBUTES: flag.default(true),
})

export type Config = z.infer<typeof schema>

const wholeSchema = schema.superRefine((config, context) => {
  for (const [setting, message] of [...embeddingProblems(config), ...modelProblems(config)])
    context.addIssue({ code: 'custom', path: [setting], message })
})

function embeddingProblems(config: Config): [setting: string, message: string][] {
  const { EMBEDDING_MODEL: model } = config
  if (model === BUILTIN_EMBEDDING)
    return config.EMBEDDING_MODEL_HUB && !config.EMBEDDING_MODEL_DIR
      ? [['EMBEDDING_MODEL_DIR', 'is needed: the folder for what is fetched from EMBEDDING_MODEL_HUB']]
      : []
  if (model.startsWith('builtin:'))
    return [['EMBEDDING_MODEL', `there is no such built-in model; the only one is ${BUILTIN_EMBEDDING}`]]
  const problems: [string, string][] = []
  if (!config.EMBEDDING_DIMENSIONS)
    problems.push(['EMBEDDING_DIMENSIONS', `is needed: the length of the vectors of ${model}`])
  if (!config.EMBEDDING_BASE_URL && !config.MODEL_BASE_URL)
    problems.push(['EMBEDDING_BASE_URL', `is needed: the URL of the provider of ${model}`])
  return problems
}

/** Reads all settings at once. Fails with every problem listed, before anything starts. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = wholeSchema.safeParse(present)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The configuration has problems:\n${problems.join('\n')}`)
}
