import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/**
 * Settings that can be read from a file whose path is in `<NAME>_FILE`. They include URLs that may contain a
 * password.
 */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'REDIS_URL',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_API_KEY',
  'TEMPORAL_ENCRYPTION_KEYS',
  'ELASTICSEARCH_URL',
  'ELASTICSEARCH_API_KEY',
  'SPEECH_API_KEY',
  'API_KEY_SECRET',
  'OIDC_CLIENT_SECRET',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'MODEL_API_KEY',
  'EMBEDDING_API_KEY',
  'SECRETS',
  'SECRETS_ENCRYPTION_KEYS',
  'EVIDENCE_KEYS',
] as const

/** The reason why a setting's file cannot be used. The reason never quotes the file. */
interface FileProblem {
  setting: string
  message: string
}

/**
 * Returns the settings, including those read from files, and the problems with the files. An empty variable is
 * treated as unset.
 */
export function readSecretFiles(env: Environment): { settings: Environment; problems: FileProblem[] } {
  const settings = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const problems: FileProblem[] = []
  for (const setting of SECRET_SETTINGS) {
    const file = settings[`${setting}_FILE`]
    if (file === undefined) continue
    try {
      if (settings[setting] !== undefined)
        throw new Error(`remove this setting or ${setting}: only one of them may be set`)
      settings[setting] = readSecret(file)
    } catch (error) {
      problems.push({ setting, message: (error as Error).message })
    }
  }
  return { settings, problems }
}

function readSecret(file: string): string {
  const text = readText(file).replace(/[\r\n]+$/, '')
  if (text.trim() === '') throw new Error('the file is empty')
  return text
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no path'})`, { cause: error })
  }
}
