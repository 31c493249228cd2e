import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** What the development set-up writes: the addresses of the components it started. */
const DEVELOPMENT_FILE = '.ganglion/env.json'

/**
 * The variables a process is configured by. Where none names a database, those of the development set-up in the
 * working folder fill the gaps, if there is one: so a command typed by hand finds the running components.
 */
export function readEnvironment(): Record<string, string | undefined> {
  if (process.env.DATABASE_URL || !existsSync(DEVELOPMENT_FILE)) return process.env
  const development = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(DEVELOPMENT_FILE, 'utf8')))
  return { ...development, ...process.env }
}
