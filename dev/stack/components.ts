import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Component, ComponentName, Environment, PortName } from '../components/component.ts'
import { COMPONENTS } from '../components/registry.ts'
import { isWorker } from './apps.ts'
import { createComponentSet } from './component-set.ts'
import type { How } from './component-set.ts'
import { findDocker } from './docker.ts'
import { endEntry, stillRunning } from './entries.ts'
import { openStateDir } from './state/state-dir.ts'
import { withLock } from './state/lock.ts'
import type { Log } from './log.ts'
import { choosePorts } from './port-choice.ts'
import type { PortWish } from './port-choice.ts'
import { changeState, readState, writePrivate } from './state/state.ts'

export interface ComponentsOptions {
  /** Which components; all when left out. */
  names?: ComponentName[]
  /** Folder for state, logs and data. Two sets with different state directories know nothing of each other. */
  stateDir: string
  /** Requested ports, or `any` for free ones. They stay the same for the life of the state directory. */
  ports?: PortWish
  /** Temporal namespaces, the first being the one of TEMPORAL_NAMESPACE. Default: `default` and `test`. */
  namespaces?: string[]
  /** Where URLs of components that run elsewhere are looked for; `{}` for none. Default: the process's. */
  environment?: Record<string, string | undefined>
  /** False: never Docker. Default: where an engine answers. */
  docker?: boolean
  /** True: they go on after the command that started them; only `npm stop` ends them. */
  stays?: boolean
  /** When it aborts, what is still starting is ended, and the call throws. */
  interrupted?: AbortSignal
  log?: Log
}

/** A set of components that answer. */
export interface Components {
  /** Everything config/config.ts needs of them, secrets included. */
  env: Environment
  how: Partial<Record<ComponentName, How>>
  ports: Record<PortName, number>
  /** Components that this call started. The others ran before, or run elsewhere. */
  started: ComponentName[]
  /** Stops what this call started. */
  stop(): Promise<void>
  /** Stops what this call started, and removes the state directory with all its data. */
  discard(): Promise<void>
  /** Stops one in an orderly way; its data stays. */
  stopOne(name: ComponentName): Promise<void>
  /** kill -9 of one and of everything it started. */
  kill(name: ComponentName): Promise<void>
  /** Starts a stopped or killed one again at its place, and waits until it answers. */
  startOne(name: ComponentName): Promise<void>
}

const silent: Log = () => {}

/**
 * Makes sure that components run, installing what is missing, and gives their environment. Each one is taken from
 * its URL in the environment, else started by Docker where an engine answers, else natively; one that this state directory
 * started before and that still answers is used as it is.
 *
 * An isolated set for a fault test:
 *
 *     const stack = await startComponents({
 *       names: ['postgres', 'redis', 'temporal'],
 *       stateDir: await mkdtemp(join(tmpdir(), 'faults-')),
 *       ports: 'any',
 *       environment: {},
 *       docker: false,
 *     })
 *     await stack.stopOne('redis')
 *     await stack.startOne('redis')
 *     await stack.discard()
 *
 * Throws when a required component can't be had, after stopping what this call had started.
 */
export async function startComponents(options: ComponentsOptions): Promise<Components> {
  const log = options.log ?? silent
  const stateDir = openStateDir(options.stateDir)
  const { folder, secrets } = stateDir
  return withLock(
    folder,
    message => log('ganglion', message),
    async () => {
      const ports = await placePorts(folder, options.ports ?? {}, message => log('ganglion', message))
      const set = createComponentSet({
        stateDir,
        place: { ports, secrets, namespaces: options.namespaces ?? ['default', 'test'] },
        docker: options.docker === false ? undefined : await findDocker({ stateDir: folder, ports, secrets }),
        environment: options.environment ?? process.env,
        log,
        stays: options.stays ?? false,
        interrupted: options.interrupted,
      })
      const endAll = async () => {
        await Promise.all(set.started.map(name => endEntry(folder, name, 'stop')))
      }
      const components = COMPONENTS.filter(component => options.names?.includes(component.name) ?? true)
      const outcomes = await Promise.allSettled(components.map(component => set.ensure(component)))
      const failed = outcomes.find(outcome => outcome.status === 'rejected')
      if (failed) {
        await endAll()
        throw failed.reason
      }
      writeEnvironment(folder, set.env)
      return {
        env: set.env,
        how: set.how,
        started: set.started,
        ports,
        stop: endAll,
        async discard() {
          await endAll()
          for (const path of [stateDir.data, folder]) rmSync(path, { recursive: true, force: true })
        },
        stopOne: name => endEntry(folder, name, 'stop'),
        kill: name => endEntry(folder, name, 'kill'),
        startOne: name => set.start(find(name)),
      }
    },
  )
}

/** `<state directory>/env.json`: the environment of all that runs, for processes started by hand. */
function writeEnvironment(folder: string, env: Environment): void {
  const others = Object.values(readState(folder).running).map(entry => entry.env)
  writePrivate(join(folder, 'env.json'), JSON.stringify(Object.assign({}, ...others, env), null, 2))
}

/** Chooses the ports of a state directory and remembers them. Those of what runs stay. */
async function placePorts(
  folder: string,
  wish: PortWish,
  log: (message: string) => void,
): Promise<Record<PortName, number>> {
  const state = readState(folder)
  const running = stillRunning(state)
  const componentPorts = COMPONENTS.filter(component => running.has(component.name)).flatMap(
    component => component.ports,
  )
  // An API that runs allows calls to the demo's endpoint at the port that was chosen when it started.
  const allowedPorts = running.has('api') ? ['payments'] : []
  const ours = new Set<string>([...componentPorts, ...running, ...allowedPorts])
  const isServing = [...running].some(name => name === 'api' || isWorker(name))
  const ports = await choosePorts({ wish, remembered: state.ports, ours, isServing, log })
  changeState(folder, current => {
    current.ports = ports
  })
  return ports
}

function find(name: ComponentName): Component {
  const component = COMPONENTS.find(each => each.name === name)
  if (!component) throw new Error(`No component is called ${name}`)
  return component
}
