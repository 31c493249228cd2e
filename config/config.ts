import { z } from 'zod'

const flag = z.enum(['true', 'false']).transform(v => v === 'true')
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const integer = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)

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
  SPEECH_URL: z.url().optional(),

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

  /** Language models: any OpenAI-compatible URL. Without one, `builtin:extractive` answers. */
  MODEL_BASE_URL: z.url().optional(),
  MODEL_API_KEY: z.string().optional(),
  /** The model used where a node names none. */
  MODEL_DEFAULT: z.string().default('builtin:extractive'),

  /** Private addresses that outbound calls of nodes may reach, as CIDR. */
  OUTBOUND_ALLOW: list.default([]),
  OUTBOUND_TIMEOUT_SECONDS: integer(3_600, 1),
  OUTBOUND_MAX_BYTES: integer(1_048_576, 1024),

  /** Payloads above this size go to Postgres; Temporal history keeps a reference. */
  PAYLOAD_INLINE_BYTES: integer(65_536, 1024),
  WORKER_WORKFLOW_TASKS: integer(40, 1),
  WORKER_ACTIVITIES: integer(100, 1),
  WORKFLOW_BUNDLE: z.string().default('build/workflow-bundle.js'),
  /** Whether the worker registers the search attributes it needs in the namespace, where they are missing. */
  CREATE_SEARCH_ATTRIBUTES: flag.default(true),
})

export type Config = z.infer<typeof schema>

/** Reads all settings at once. Fails with every problem listed, before anything starts. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(present)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The configuration has problems:\n${problems.join('\n')}`)
}
