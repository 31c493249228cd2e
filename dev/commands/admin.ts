import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { readCredentials } from '../stack/state/credentials.ts'
import { STATE_DIR } from '../stack/stack.ts'
import type { Command } from './command.ts'

/**
 * `npm run admin -- ...`: runs api/admin.ts with the environment of the running stack. Variables of the current
 * process take precedence.
 */
export const admin: Command = async args => {
  const child = spawn(process.execPath, ['api/admin.ts', ...args], {
    cwd: CHECKOUT,
    env: { ...runningEnvironment(), ...process.env },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Returns the environment of the running stack, including the API address, which is needed for links. */
function runningEnvironment(): Record<string, string> {
  const file = join(STATE_DIR, 'env.json')
  if (!existsSync(file)) return {}
  const base = readCredentials(STATE_DIR)?.base_url
  return { ...(base !== undefined && { BASE_URL: base }), ...(JSON.parse(readFileSync(file, 'utf8')) as object) }
}
