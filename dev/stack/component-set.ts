import { join } from 'node:path'
import type { Component, ComponentName, Environment, NativeContext, Place } from '../components/component.ts'
import { findComponent } from '../components/registry.ts'
import { createApt } from '../machine/apt.ts'
import { killProcess } from '../machine/process.ts'
import type { Docker } from './docker.ts'
import { rememberEntry, stillRunning } from './entries.ts'
import type { StateDir } from './state/state-dir.ts'
import type { Log } from './log.ts'
import { startNative } from './native.ts'
import { readState } from './state/state.ts'
import { untilReady } from './watch/wait.ts'

export type How = 'environment' | 'docker' | 'native'

export interface SetDeps {
  stateDir: StateDir
  place: Place
  docker: Docker | undefined
  environment: Record<string, string | undefined>
  log: Log
  stays: boolean
  interrupted: AbortSignal | undefined
}

/** Components that are being started, one by one or in parallel. */
export interface ComponentSet {
  env: Environment
  how: Partial<Record<ComponentName, How>>
  started: ComponentName[]
  ensure(component: Component): Promise<void>
  start(component: Component): Promise<void>
}

type DockerService = NonNullable<Component['docker']>

const ELSEWHERE_SECONDS = 30
const REUSE_SECONDS = 5

export function createComponentSet(deps: SetDeps): ComponentSet {
  const { stateDir, place, log } = deps
  const apt = createApt(message => log('apt', message))
  const set: ComponentSet = { env: commonSettings(deps), how: {}, started: [], ensure, start }

  const contextOf = (component: Component): NativeContext => ({
    ...place,
    data: join(stateDir.data, component.name),
    environment: set.env,
    apt,
    log: message => log(component.name, message),
  })

  const remember = (
    component: Component,
    entry: { how: 'native' | 'docker'; process?: { pid: number; started: string } },
  ) =>
    rememberEntry(stateDir.folder, component.name, { ...entry, env: component.environment(place), stays: deps.stays })

  async function startNatively(component: Component): Promise<void> {
    await Promise.all((component.needs ?? []).map(name => ensure(findComponent(name))))
    const context = contextOf(component)
    const installed = await component.install(context)
    await startNative({
      name: component.name,
      logs: stateDir.logs,
      launch: await component.launch(context, installed),
      check: () => component.check(component.environment(place)),
      readySeconds: component.readySeconds,
      onProcess: process => remember(component, { how: 'native', process }),
      interrupted: deps.interrupted,
    })
  }

  async function startInDocker(component: Component, { service }: DockerService, docker: Docker): Promise<void> {
    log(component.name, `starting with docker compose (service ${service})`)
    remember(component, { how: 'docker' })
    await docker.up(service)
    await untilReady(
      () => component.check(component.environment(place)),
      component.readySeconds,
      () => true,
    )
  }

  async function start(component: Component): Promise<void> {
    const began = Date.now()
    if (set.how[component.name] === 'docker' && deps.docker && component.docker)
      await startInDocker(component, component.docker, deps.docker)
    else await startNatively(component)
    await component.prepare?.(component.environment(place), place)
    log(component.name, `ready after ${((Date.now() - began) / 1000).toFixed(1)} s (${set.how[component.name]})`)
  }

  async function startByDockerOrNative(component: Component): Promise<void> {
    set.how[component.name] = deps.docker && component.docker ? 'docker' : 'native'
    set.started.push(component.name)
    try {
      await start(component)
    } catch (error) {
      if (!deps.docker || !component.docker) throw error
      log(component.name, `Docker could not start it, starting it natively: ${(error as Error).message}`)
      await deps.docker.stop(component.docker.service).catch(() => {})
      set.how[component.name] = 'native'
      await start(component)
    }
    Object.assign(set.env, component.environment(place))
  }

  async function useElsewhere(component: Component): Promise<void> {
    const keys = Object.keys(component.environment(place))
    const overrides = Object.fromEntries(
      keys.flatMap(key => (deps.environment[key] ? [[key, deps.environment[key]]] : [])),
    )
    await untilReady(
      () => component.check(overrides),
      ELSEWHERE_SECONDS,
      () => true,
    )
    await component.prepare?.(overrides, place)
    set.how[component.name] = 'environment'
    Object.assign(set.env, overrides)
    log(component.name, `using ${component.urlKey} from the environment`)
  }

  /** Returns true if the component is already running and responds. Stops a component that doesn't respond. */
  async function reuse(component: Component): Promise<boolean> {
    const state = readState(stateDir.folder)
    const entry = state.running[component.name]
    if (!entry || !stillRunning(state).has(component.name)) return false
    try {
      await untilReady(
        () => component.check(entry.env),
        REUSE_SECONDS,
        () => true,
      )
      await component.prepare?.(entry.env, place)
    } catch {
      if (entry.process) await killProcess(entry.process)
      return false
    }
    set.how[component.name] = entry.how
    Object.assign(set.env, entry.env)
    if (deps.stays && !entry.stays) rememberEntry(stateDir.folder, component.name, { ...entry, stays: true })
    return true
  }

  const ensured = new Map<ComponentName, Promise<void>>()

  function ensure(component: Component): Promise<void> {
    const ready = ensured.get(component.name) ?? ensureOnce(component)
    ensured.set(component.name, ready)
    return ready
  }

  async function ensureOnce(component: Component): Promise<void> {
    try {
      if (deps.environment[component.urlKey]) await useElsewhere(component)
      else if (!(await reuse(component))) await startByDockerOrNative(component)
    } catch (error) {
      if (component.required || deps.interrupted?.aborted)
        throw new Error(`${component.name}: ${(error as Error).message}`, { cause: error })
      delete set.how[component.name]
      log(component.name, `skipped, because it could not be started: ${(error as Error).message}`)
    }
  }

  return set
}

/** Settings that belong to no particular component. */
const commonSettings = ({ environment, place }: SetDeps): Environment => ({
  API_KEY_SECRET: environment['API_KEY_SECRET'] || place.secrets.api_key_secret,
  ...keySettings(environment, 'SECRETS_ENCRYPTION', place.secrets.encryption_key),
  ...keySettings(environment, 'EVIDENCE', place.secrets.evidence_key),
  ...(environment['MODEL_BASE_URL'] ? {} : modelSettings(environment)),
  OUTBOUND_ALLOW: [environment['OUTBOUND_ALLOW'], `127.0.0.1:${place.ports.payments}`].filter(Boolean).join(','),
})

const EXTRACTIVE = {
  id: 'builtin:extractive',
  usd_per_mtok: { input: 0, output: 0 },
  capabilities: ['text', 'structured_output', 'streaming', 'tools'],
}

/** By default, the rule-based model is used, unless the environment names a different model. */
const modelSettings = (environment: SetDeps['environment']): Environment => ({
  MODEL_DEFAULT: environment['MODEL_DEFAULT'] || EXTRACTIVE.id,
  MODELS: environment['MODELS'] || JSON.stringify([EXTRACTIVE]),
})

/** Returns the keys from the environment, otherwise the generated key. */
function keySettings(environment: SetDeps['environment'], name: string, generated: string): Environment {
  const [keys, id] = [`${name}_KEYS`, `${name}_KEY_ID`]
  return environment[keys]
    ? { [keys]: environment[keys], [id]: environment[id] ?? '' }
    : { [keys]: JSON.stringify({ dev: generated }), [id]: 'dev' }
}
