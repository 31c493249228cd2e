import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify } from '../../machine/process-table.ts'
import { isRunning } from '../../machine/process.ts'
import type { ProcessId } from '../../machine/process.ts'

const UNNAMED_MS = 5000

/**
 * Runs `work` while no other command starts or stops anything in this state directory. Waits until the other command
 * has finished. If the owner of the lock has died, takes over the lock.
 */
export async function withLock<T>(
  stateDir: string,
  log: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const file = join(stateDir, 'lock')
  let isLogged = false
  while (!takeLock(file)) {
    if (isStale(file)) rmSync(file, { force: true })
    else {
      if (!isLogged) log('waiting for another command to finish starting or stopping')
      isLogged = true
      await sleep(200)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function takeLock(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify(identify(process.pid)), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Returns true if the owner of the lock has died, even if it died before it wrote its id. */
function isStale(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8')
    if (text === '') return Date.now() - statSync(file).mtimeMs > UNNAMED_MS
    return !isRunning(JSON.parse(text) as ProcessId)
  } catch {
    return false
  }
}
