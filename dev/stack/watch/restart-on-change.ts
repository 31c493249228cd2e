import { existsSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKOUT } from '../../machine/folders.ts'
import { startApp } from '../apps.ts'
import type { App, AppDeps } from '../apps.ts'
import { endEntry } from '../entries.ts'
import { findImports } from './import-graph.ts'

/** How long to wait for further changes. Editors write a file in several steps, or save several files at once. */
const SETTLE_MS = 50
/** A process that takes longer to end is killed, because a restart must not wait for open requests. */
const GRACE_MS = 300

/**
 * Restarts a process when a file that it imports changes, until `signal` aborts. A process that fails to start is
 * restarted after the next change.
 */
export async function restartOnChange(
  folders: string[],
  apps: App[],
  deps: AppDeps,
  signal: AbortSignal,
): Promise<void> {
  let imports = apps.map(findSources)
  for await (const files of changes(folders, signal)) {
    const before = imports
    imports = apps.map(findSources)
    const affected = apps.filter((_, i) => files.some(file => before[i]?.has(file) || imports[i]?.has(file)))
    await Promise.all(affected.map(app => restart(app, deps)))
  }
}

const findSources = ({ script, loads = [] }: App): Set<string> =>
  findImports([script, ...loads].map(file => resolve(CHECKOUT, file)))

async function restart(app: App, deps: AppDeps): Promise<void> {
  await endEntry(deps.stateDir.folder, app.name, 'stop', GRACE_MS)
  await startApp(app, deps).catch((error: Error) => deps.log(app.name, error.message))
}

/**
 * Yields the absolute paths of changed files in these folders. Changes that occur at the same time are yielded
 * together.
 */
async function* changes(folders: string[], signal: AbortSignal): AsyncGenerator<string[]> {
  const files = new Set<string>()
  let wake = Promise.withResolvers<void>()
  const watchers = folders.filter(existsSync).map(folder =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (name) files.add(join(folder, name))
      wake.resolve()
    }),
  )
  const stop = () => wake.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      await wake.promise
      if (signal.aborted) return
      await sleep(SETTLE_MS)
      wake = Promise.withResolvers()
      const together = [...files]
      files.clear()
      yield together
    }
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}
