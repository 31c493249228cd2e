import { COMPONENTS } from '../components/registry.ts'
import { isRunning, killProcess, stopProcess } from '../machine/process.ts'
import { findDocker } from './docker.ts'
import type { Docker } from './docker.ts'
import { openStateDir } from './state/state-dir.ts'
import { changeState, readState } from './state/state.ts'
import type { RunningProcess, State } from './state/state.ts'

/** Longer than the API and the worker need to complete open requests and activities. */
const GRACE_MS = 30_000

/** Returns the names of the entries whose process is running. */
export function stillRunning(state: State): Set<string> {
  const alive = Object.entries(state.running).filter(([, entry]) => !entry.process || isRunning(entry.process))
  return new Set(alive.map(([name]) => name))
}

export function rememberEntry(stateDir: string, name: string, entry: Omit<RunningProcess, 'since'>): void {
  changeState(stateDir, state => {
    state.running[name] = { ...entry, since: new Date().toISOString() }
  })
}

/** Ends the process of one state entry, with a shutdown within `graceMs` or with kill -9, and removes the entry. */
export async function endEntry(folder: string, name: string, end: 'stop' | 'kill', graceMs = GRACE_MS): Promise<void> {
  const entry = readState(folder).running[name]
  const component = COMPONENTS.find(each => each.name === name)
  if (entry?.how === 'docker' && component?.docker) await (await dockerOf(folder))?.[end](component.docker.service)
  if (entry?.process && end === 'stop') await stopProcess(entry.process, component?.stopSignal ?? 'SIGTERM', graceMs)
  if (entry?.process && end === 'kill') await killProcess(entry.process)
  changeState(folder, state => {
    delete state.running[name]
  })
}

async function dockerOf(folder: string): Promise<Docker | undefined> {
  return findDocker({ stateDir: folder, ports: readState(folder).ports, secrets: openStateDir(folder).secrets })
}
