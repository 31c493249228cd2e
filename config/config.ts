import { z } from 'zod'
import { identityProblems } from './identities.ts'
import { modelProblems } from './models.ts'
import { readSecretFiles } from './secret-files.ts'
import { DEFAULT_EMBEDDING, SETTING_GROUPS, settings } from './settings.ts'
import { clientCertificateProblems } from './temporal-tls.ts'

export type Config = z.infer<typeof settings>

const wholeSchema = settings.superRefine((config, context) => {
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
  DEFAULT_PLAN in PLANS ? [] : [['DEFAULT_PLAN', `unknown plan; PLANS defines ${Object.keys(PLANS).join(', ')}`]]

/**
 * Returns problems with retention. A job must be kept as long as its idempotency key is valid, so that a repeated
 * request finds the job.
 */
function retentionProblems(config: Config): [setting: string, message: string][] {
  if (config.RETENTION_JOB_DAYS * 24 >= config.IDEMPOTENCY_HOURS) return []
  return [['RETENTION_JOB_DAYS', 'must be at least as long as IDEMPOTENCY_HOURS']]
}

function embeddingProblems(config: Config): [setting: string, message: string][] {
  const { EMBEDDING_MODEL: model } = config
  if (model === DEFAULT_EMBEDDING) return []
  const problems: [string, string][] = []
  if (!config.EMBEDDING_DIMENSIONS)
    problems.push(['EMBEDDING_DIMENSIONS', `is required: set it to the number of vector dimensions of ${model}`])
  if (!config.EMBEDDING_BASE_URL && !config.MODEL_BASE_URL)
    problems.push(['EMBEDDING_BASE_URL', `is required: set it to the server URL for ${model}`])
  return problems
}

/** Returns problems with worker builds. Temporal uses dots and colons as separators in deployment names. */
function deploymentProblems(config: Config): [setting: string, message: string][] {
  const { WORKER_BUILD_ID: build, TEMPORAL_WORKER_BUILD_ID: controllerBuild } = config
  const problems: [string, string][] = []
  if (build !== undefined && controllerBuild !== undefined && build !== controllerBuild)
    problems.push(['TEMPORAL_WORKER_BUILD_ID', 'must be the same as WORKER_BUILD_ID, or remove one of them'])
  const { deploymentName, buildId } = readDeployment(config)
  if (buildId !== undefined && /[.:]/.test(deploymentName))
    problems.push([
      config.TEMPORAL_DEPLOYMENT_NAME === undefined ? 'TEMPORAL_TASK_QUEUE' : 'TEMPORAL_DEPLOYMENT_NAME',
      'must not have dots or colons when the worker has a build',
    ])
  return problems
}

/** Returns the worker deployment of this process, and its build if it has one. */
export const readDeployment = (config: Config): { deploymentName: string; buildId: string | undefined } => ({
  deploymentName: config.TEMPORAL_DEPLOYMENT_NAME ?? config.TEMPORAL_TASK_QUEUE,
  buildId: config.WORKER_BUILD_ID ?? config.TEMPORAL_WORKER_BUILD_ID,
})

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
    present && config[setting] === undefined ? [[setting, `is required with ${why}`]] : []
  const hasKeys = config.JWT_JWKS_URL !== undefined || config.JWT_KEYS !== undefined
  const hasProvider = config.OIDC_ISSUER !== undefined
  return [
    ...needs(hasKeys, 'JWT_ISSUER', 'the keys for user tokens'),
    ...needs(hasKeys, 'JWT_AUDIENCE', 'the keys for user tokens'),
    ...needs(hasProvider, 'OIDC_CLIENT_ID', 'OIDC_ISSUER'),
    ...needs(hasProvider, 'BASE_URL', 'OIDC_ISSUER'),
    ...needs(config.OIDC_GROUP_MAP !== undefined, 'OIDC_GROUPS_CLAIM', 'OIDC_GROUP_MAP'),
    ...needs(
      config.OIDC_ROLE_MAP !== undefined && config.OIDC_GROUPS_CLAIM === undefined,
      'OIDC_ROLES_CLAIM',
      'OIDC_ROLE_MAP',
    ),
    ...needs(config.OAUTH_ISSUER !== undefined, 'BASE_URL', 'OAUTH_ISSUER'),
  ]
}

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(settings.shape)

type Environment = Record<string, string | undefined>

/** Parses all settings, including those in files. Throws an error that lists every problem. */
export const readConfig = (env: Environment): Config => parse(wholeSchema, env)

/** Parses only the settings that migrations need. Throws like `readConfig`. */
export const readDatabaseConfig = (env: Environment): Pick<Config, 'DATABASE_URL' | 'DATABASE_ADMIN_URL'> =>
  parse(settings.pick({ DATABASE_URL: true, DATABASE_ADMIN_URL: true }), env)

const temporalSchema = z.object(SETTING_GROUPS.Temporal).superRefine((config, context) => {
  for (const [setting, message] of clientCertificateProblems(config))
    context.addIssue({ code: 'custom', path: [setting], message })
})

export type TemporalConfig = z.infer<typeof temporalSchema>

/** Parses only the Temporal settings. Throws like `readConfig`. */
export const readTemporalConfig = (env: Environment): TemporalConfig => parse(temporalSchema, env)

function parse<T>(schema: z.ZodType<T>, env: Environment): T {
  const { settings: values, problems: fileProblems } = readSecretFiles(env)
  const parsed = schema.safeParse(values)
  if (parsed.success && fileProblems.length === 0) return parsed.data
  const inFiles = new Set(fileProblems.map(({ setting }) => setting))
  const issues = (parsed.error?.issues ?? []).filter(({ path: [setting] }) => !inFiles.has(String(setting)))
  const problems = [
    ...fileProblems.map(({ setting, message }) => `  ${setting}_FILE: ${message}`),
    ...issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`),
  ]
  throw new Error(`Invalid configuration:\n${problems.join('\n')}`)
}
