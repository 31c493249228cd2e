import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PortName } from '../components/component.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { run, succeeds, which } from '../machine/shell.ts'
import type { Secrets } from './state/secrets.ts'

const ANSWER_MS = 10_000
const START_MS = 15 * 60_000

/** The services in docker-compose.yml, with a separate project name for each state directory. */
export interface Docker {
  up(service: string): Promise<void>
  stop(service: string): Promise<void>
  kill(service: string): Promise<void>
  /** Returns the last lines of a service's log. */
  logs(service: string): Promise<string>
}

export interface DockerSettings {
  stateDir: string
  ports: Record<PortName, number>
  secrets: Secrets
}

/**
 * Returns Docker if an engine responds and the Compose plugin is installed. To disable Docker, set
 * `GANGLION_DOCKER=off`.
 */
export async function findDocker(settings: DockerSettings): Promise<Docker | undefined> {
  if (process.env['GANGLION_DOCKER'] === 'off' || !which('docker')) return undefined
  const quick = { timeoutMs: ANSWER_MS }
  const answers = await succeeds('docker', ['version', '--format', '{{.Server.Version}}'], quick)
  if (!answers || !(await succeeds('docker', ['compose', 'version'], quick))) return undefined
  return composeProject(settings)
}

function composeProject(settings: DockerSettings): Docker {
  const project = `ganglion-${createHash('sha256').update(settings.stateDir).digest('hex').slice(0, 8)}`
  const files = ['docker-compose.yml', 'dev/stack/docker-compose.ports.yml'].flatMap(file => [
    '-f',
    join(CHECKOUT, file),
  ])
  const base = ['compose', '-p', project, ...files]
  const env = composeEnvironment(settings)
  const compose = (...args: string[]) => run('docker', [...base, ...args], { env, timeoutMs: START_MS })
  // Calls run one after the other. Concurrent calls would otherwise both create shared objects: the network, or a
  // service that both depend on.
  let last: Promise<unknown> = Promise.resolve()
  return {
    async up(service) {
      const turn = last.then(() => compose('up', '-d', '--wait', service))
      last = turn.catch(() => {})
      await turn
    },
    async stop(service) {
      await compose('stop', service)
    },
    async kill(service) {
      await compose('kill', service)
    },
    logs: service => compose('logs', '--no-color', '--tail', '200', service),
  }
}

/** Returns the variables for the Compose files: the secrets, and a published port for each component. */
function composeEnvironment({ ports, secrets }: DockerSettings): Record<string, string> {
  const published = Object.entries(ports).map(([name, port]) => [
    `${name.toUpperCase().replace('-', '_')}_PORT`,
    String(port),
  ])
  return {
    COMPOSE_PROFILES: 'bundled,speech,temporal-ui',
    BASE_URL: `http://127.0.0.1:${ports.api}`,
    POSTGRES_PASSWORD: secrets.admin_password,
    OWNER_DATABASE_PASSWORD: secrets.admin_password,
    APP_DATABASE_PASSWORD: secrets.app_password,
    TEMPORAL_DATABASE_PASSWORD: secrets.admin_password,
    REDIS_PASSWORD: secrets.redis_password,
    ...(Object.fromEntries(published) as Record<string, string>),
  }
}
