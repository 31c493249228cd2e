import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** What the development set-up writes: the addresses of the components it started. */
const DEVELOPMENT_FILE = '.ganglion/env.json'

/**
 * Returns the environment variables of the process. If none names a database, the variables of the development stack in
 * the working folder, if there is one, are added, so that a command finds the running components.
 */
export function readEnvironment(): Record<string, string | undefined> {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env
  if (DATABASE_URL || DATABASE_URL_FILE || !existsSync(DEVELOPMENT_FILE)) return process.env
  const development = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(DEVELOPMENT_FILE, 'utf8')))
  return { ...development, ...process.env }
}
