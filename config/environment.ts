import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** File that the development setup writes, with the addresses of its components. */
const DEVELOPMENT_FILE = '.ganglion/env.json'

/**
 * Returns the environment variables of the process. If none of them names a database, adds the variables of the
 * development stack from the working folder, if there is one. Commands then find the running components.
 */
export function readEnvironment(): Record<string, string | undefined> {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env
  if (DATABASE_URL || DATABASE_URL_FILE || !existsSync(DEVELOPMENT_FILE)) return process.env
  const development = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(DEVELOPMENT_FILE, 'utf8')))
  return { ...development, ...process.env }
}
