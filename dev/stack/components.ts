import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ComponentName, Environment, PortName } from '../components/component.ts'
import { COMPONENTS, findComponent } from '../components/registry.ts'
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
  /** Components to start. Default: all. */
  names?: ComponentName[]
  /** Folder for state, logs and data. Sets of components with different state directories are independent. */
  stateDir: string
  /** Requested ports, or `any` for free ports. The ports stay the same for the lifetime of the state directory. */
  ports?: PortWish
  /** Temporal namespaces to create. The first one becomes TEMPORAL_NAMESPACE. Default: `default` and `test`. */
  namespaces?: string[]
  /**
   * The environment that contains the URLs of components that run elsewhere; `{}` if there are none. Default: the
   * environment of the process.
   */
  environment?: Record<string, string | undefined>
  /** If false, Docker is never used. By default, it is used if an engine responds. */
  docker?: boolean
  /** If true, the components keep running after the command that started them, until `npm stop`. */
  stays?: boolean
  /** When the signal aborts, components that are still starting are stopped, and the call throws. */
  interrupted?: AbortSignal
  log?: Log
}

/** A set of running components. */
export interface Components {
  /** All settings that config/config.ts needs to use the components, including secrets. */
  env: Environment
  how: Partial<Record<ComponentName, How>>
  ports: Record<PortName, number>
  /** Components that this call started. All others were already running or run elsewhere. */
  started: ComponentName[]
  /** Stops the components that this call started. */
  stop(): Promise<void>
  /** Stops the components that this call started, and removes the state directory with all its data. */
  discard(): Promise<void>
  /** Shuts down one component and keeps its data. */
  stopOne(name: ComponentName): Promise<void>
  /** Sends kill -9 to a component and all its child processes. */
  kill(name: ComponentName): Promise<void>
  /** Starts a stopped or killed component again on the same port, and waits until it responds. */
  startOne(name: ComponentName): Promise<void>
}

const silent: Log = () => {}

/**
 * Makes sure that components are running, installs what is missing, and returns their environment. A component with a
 * URL in the environment is used as it is. Other components are started by Docker if an engine responds, otherwise
 * natively. Components started earlier from this state directory are reused if they still respond.
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
 * Throws if a required component cannot be started, after stopping the components that this call has started.
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
        startOne: name => set.start(findComponent(name)),
      }
    },
  )
}

/**
 * Writes `<state directory>/env.json`, which contains the environment of all processes, for processes that are
 * started manually.
 */
function writeEnvironment(folder: string, env: Environment): void {
  const others = Object.values(readState(folder).running).map(entry => entry.env)
  writePrivate(join(folder, 'env.json'), JSON.stringify(Object.assign({}, ...others, env), null, 2))
}

/** Chooses the ports for a state directory and stores them. Components that are already running keep their ports. */
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
  // A running API allows calls to the sample endpoint only on the port that was chosen when the API started.
  const allowedPorts = running.has('api') ? ['payments'] : []
  const ours = new Set<string>([...componentPorts, ...running, ...allowedPorts])
  const isServing = [...running].some(name => name === 'api' || isWorker(name))
  const ports = await choosePorts({ wish, remembered: state.ports, ours, isServing, log })
  changeState(folder, current => {
    current.ports = ports
  })
  return ports
}
