import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE_SCHEMA, load } from 'js-yaml'
import { findContainerEngine } from '../../dev/machine/container-engine.ts'
import { run, succeeds, which } from '../../dev/machine/shell.ts'
import { waitUntil } from '../support/stack/process.ts'

interface Service {
  depends_on?: Record<string, { condition: string }>
  stop_grace_period?: string
}

/** Containers of one Compose project. */
export interface Engine {
  /** Starts the project, and waits until all services are healthy or completed. */
  up(scale?: Record<string, number>): Promise<void>
  down(options?: { volumes: boolean }): Promise<void>
  exec(service: string, ...command: string[]): Promise<string>
  logs(service: string): Promise<string>
  /** Sends SIGKILL to a container's first process, and waits until the container is healthy again. */
  kill(service: string): Promise<void>
  /** Returns the memory that each running container uses. */
  memory(): Promise<string>
}

const HEALTHY_MS = 600_000
const COMPLETED = 'service_completed_successfully'

/** Opens a project with Docker if an engine responds, and otherwise with podman. */
export async function openEngine(folder: string, project: string): Promise<Engine> {
  return (await findContainerEngine()) === 'docker' ? createDocker(folder, project) : createPodman(folder, project)
}

function createDocker(folder: string, project: string): Engine {
  const compose = (...args: string[]) => run('docker', ['compose', '-p', project, ...args], { cwd: folder })
  const up: Engine['up'] = async (scale = {}) => {
    const replicas = Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`])
    await compose('up', '-d', '--wait', ...replicas)
  }
  return {
    up,
    down: async ({ volumes = false } = { volumes: false }) => {
      await compose('down', ...(volumes ? ['-v'] : []))
    },
    exec: (service, ...command) => compose('exec', '-T', service, ...command),
    logs: service => compose('logs', '--no-log-prefix', service),
    async kill(service) {
      const id = (await compose('ps', '-q', service)).trim().split('\n')[0] ?? ''
      const pid = await run('docker', ['inspect', '-f', '{{.State.Pid}}', id])
      process.kill(Number(pid), 'SIGKILL')
      await up()
    },
    memory: () => compose('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}'),
  }
}

/**
 * Creates the containers with podman-compose, and starts and stops them as Docker Compose does: in the order of their
 * dependencies, and all replicas. podman-compose would start a container before its dependencies are healthy, and would
 * leave replicas running.
 */
async function createPodman(folder: string, project: string): Promise<Engine> {
  const podman = (...args: string[]) => run('podman', args, { cwd: folder })
  const program = await installPodmanCompose()
  const compose = (...args: string[]) => run(program, ['-p', project, ...args], { cwd: folder })
  const { services } = load(await compose('config'), { schema: CORE_SCHEMA }) as { services: Record<string, Service> }
  const names = Object.keys(services)
  const dependencies = (service: string) =>
    Object.entries(services[service]?.depends_on ?? {}).filter(([name]) => name in services)
  const needs = (service: string) => dependencies(service).map(([name]) => name)
  const dependents = (service: string) => names.filter(name => needs(name).includes(service))
  const oneShots = new Set(
    names.flatMap(dependencies).flatMap(([name, { condition }]) => (condition === COMPLETED ? [name] : [])),
  )
  const ofProject = ['--filter', `label=io.podman.compose.project=${project}`]
  const list = async (...args: string[]) => (await podman(...args, ...ofProject)).split('\n').filter(Boolean)
  const containers = (service: string) => list('ps', '-aq', '--filter', `label=io.podman.compose.service=${service}`)
  const inspect = async (id: string, format: string) => (await podman('inspect', '-f', format, id)).trim()
  const readEnd = (id: string) => podman('logs', '--tail', '20', id)

  /** Waits until a container is healthy, or has completed. Without systemd, podman doesn't run health checks itself. */
  async function untilReady(service: string, id: string): Promise<void> {
    if (oneShots.has(service)) {
      const code = (await podman('wait', id)).trim()
      if (code !== '0') throw new Error(`${service} exited with ${code}\n${await readEnd(id)}`)
    } else if ((await inspect(id, '{{if .Config.Healthcheck}}yes{{end}}')) === 'yes') {
      const isHealthy = () => succeeds('podman', ['healthcheck', 'run', id])
      await waitUntil(isHealthy, HEALTHY_MS, async () => `${service} is unhealthy\n${await readEnd(id)}`)
    }
  }

  return {
    async up(scale = {}) {
      const replicas = Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`])
      await compose('up', '--no-start', '--no-deps', '--no-build', ...replicas)
      await inOrder(names, needs, async service => {
        const ids = await containers(service)
        await podman('start', ...ids)
        await Promise.all(ids.map(id => untilReady(service, id)))
      })
    },
    async down({ volumes = false } = { volumes: false }) {
      await inOrder(names, dependents, async service => {
        const ids = await containers(service)
        const grace = /^(\d+)s$/.exec(services[service]?.stop_grace_period ?? '10s')?.[1] ?? ''
        if (ids.length > 0) await podman('stop', '-t', grace, ...ids)
      })
      await podman('rm', ...(await list('ps', '-aq')))
      await podman('network', 'rm', ...(await list('network', 'ls', '-q')))
      if (volumes) await podman('volume', 'rm', ...(await list('volume', 'ls', '-q')))
    },
    exec: async (service, ...command) => podman('exec', (await containers(service))[0] ?? '', ...command),
    logs: async service => podman('logs', (await containers(service))[0] ?? ''),
    async kill(service) {
      const [id = ''] = await containers(service)
      const readPid = async () => Number(await inspect(id, '{{.State.Pid}}'))
      const pid = await readPid()
      process.kill(pid, 'SIGKILL')
      // The restart policy starts the container again.
      const isRestarted = async () => ![0, pid].includes(await readPid())
      await waitUntil(isRestarted, HEALTHY_MS, () => `${service} was not restarted`)
      await untilReady(service, id)
    },
    memory: async () => {
      const ids = await list('ps', '-q')
      return podman('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}', ...ids)
    },
  }
}

/** Runs work for all names. The work for a name begins after the work for the names that it needs. */
async function inOrder(
  names: string[],
  needs: (name: string) => string[],
  work: (name: string) => Promise<void>,
): Promise<void> {
  const tasks = new Map<string, Promise<void>>()
  const begin = (name: string): Promise<void> => {
    const task = tasks.get(name) ?? Promise.all(needs(name).map(begin)).then(() => work(name))
    tasks.set(name, task)
    return task
  }
  await Promise.all(names.map(begin))
}

async function installPodmanCompose(): Promise<string> {
  const found = which('podman-compose')
  if (found) return found
  const folder = mkdtempSync(join(tmpdir(), 'podman-compose-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '-q', 'podman-compose==1.6.0'])
  return join(folder, 'bin/podman-compose')
}
