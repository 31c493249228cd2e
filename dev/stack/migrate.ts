import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import type { Log } from './log.ts'

const LIMIT_MS = 5 * 60_000

/** Runs `ganglion-admin migrate` in the database that the environment specifies. */
export async function migrate(env: Record<string, string>, log: Log): Promise<void> {
  if (!env['DATABASE_ADMIN_URL']) {
    log('migrations', 'skipped, because DATABASE_ADMIN_URL is not set')
    return
  }
  const began = Date.now()
  const printed = await run(process.execPath, ['api/admin.ts', 'migrate'], { cwd: CHECKOUT, env, timeoutMs: LIMIT_MS })
  const last = printed.trim().split('\n').at(-1) ?? ''
  log('migrations', `done after ${((Date.now() - began) / 1000).toFixed(1)} s${last && ` (${last})`}`)
}
