import { COMPONENTS } from '../components/registry.ts'
import { isRunning, killProcess, stopProcess } from '../machine/process.ts'
import { findDocker } from './docker.ts'
import type { Docker } from './docker.ts'
import { openHome } from './home.ts'
import { changeState, readState } from './state.ts'
import type { Running, State } from './state.ts'

/** Longer than the house's own processes take to finish what is in flight. */
const GRACE_MS = 30_000

/** Names of what was started and is not known to have ended. */
export function stillRunning(state: State): Set<string> {
  const alive = Object.entries(state.running).filter(([, entry]) => !entry.process || isRunning(entry.process))
  return new Set(alive.map(([name]) => name))
}

export function rememberEntry(home: string, name: string, entry: Omit<Running, 'since'>): void {
  changeState(home, state => {
    state.running[name] = { ...entry, since: new Date().toISOString() }
  })
}

/** Ends one thing that this home started, in an orderly way or by kill -9, and forgets it. Nothing else is touched. */
export async function endEntry(folder: string, name: string, end: 'stop' | 'kill'): Promise<void> {
  const entry = readState(folder).running[name]
  const component = COMPONENTS.find(each => each.name === name)
  if (entry?.how === 'docker' && component) await (await dockerOf(folder))?.[end](component.docker.service)
  if (entry?.process && end === 'stop') await stopProcess(entry.process, component?.stopSignal ?? 'SIGTERM', GRACE_MS)
  if (entry?.process && end === 'kill') await killProcess(entry.process)
  changeState(folder, state => {
    delete state.running[name]
  })
}

async function dockerOf(folder: string): Promise<Docker | undefined> {
  return findDocker({ home: folder, ports: readState(folder).ports, secrets: openHome(folder).secrets })
}
