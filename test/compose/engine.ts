import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CORE_SCHEMA, load } from 'js-yaml'
import { run, succeeds, which } from '../../dev/machine/shell.ts'

interface Service {
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
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

/** Opens a project with Docker if an engine responds, and otherwise with podman. */
export async function openEngine(folder: string, project: string): Promise<Engine> {
  const isDocker = which('docker') !== undefined && (await succeeds('docker', ['compose', 'version']))
  return isDocker ? createDocker(folder, project) : createPodman(folder, project)
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
 * podman-compose doesn't wait for health checks, so this starts each service after its dependencies and runs the checks
 * itself.
 */
async function createPodman(folder: string, project: string): Promise<Engine> {
  const podman = (...args: string[]) => run('podman', args, { cwd: folder })
  const program = await installPodmanCompose()
  const compose = (...args: string[]) => run(program, ['-p', project, ...args], { cwd: folder })
  const { services } = load(await compose('config'), { schema: CORE_SCHEMA }) as { services: Record<string, Service> }
  const oneShots = new Set(
    Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.keys(depends_on).filter(name => depends_on[name]?.condition === 'service_completed_successfully'),
    ),
  )
  const containers = async (service: string) =>
    (await podman('ps', '-aq', '--filter', `name=^${project}_${service}_`)).trim().split('\n').filter(Boolean)

  async function untilReady(service: string): Promise<void> {
    for (const id of await containers(service)) {
      if (oneShots.has(service)) {
        const code = (await podman('wait', id)).trim()
        if (code !== '0') throw new Error(`${service} exited with ${code}\n${await podman('logs', '--tail', '20', id)}`)
        continue
      }
      const hasCheck = (await podman('inspect', '-f', '{{if .Config.Healthcheck}}yes{{end}}', id)).trim() === 'yes'
      if (!hasCheck) continue
      const deadline = Date.now() + HEALTHY_MS
      while (!(await succeeds('podman', ['healthcheck', 'run', id]))) {
        if (Date.now() > deadline)
          throw new Error(`${service} is unhealthy\n${await podman('logs', '--tail', '20', id)}`)
        await sleep(1_000)
      }
    }
  }

  return {
    async up(scale = {}) {
      const starts = new Map<string, Promise<void>>()
      let turn: Promise<unknown> = Promise.resolve()
      const start = (service: string): Promise<void> => {
        const begun = starts.get(service)
        if (begun) return begun
        const begin = async () => {
          const needs = Object.keys(services[service]?.depends_on ?? {}).filter(name => name in services)
          await Promise.all(needs.map(start))
          const replicas = scale[service] ? ['--scale', `${service}=${scale[service]}`] : []
          turn = turn.then(() => compose('up', '-d', '--no-deps', '--no-build', ...replicas, service))
          await turn
          await untilReady(service)
        }
        starts.set(service, begin())
        return start(service)
      }
      await Promise.all(Object.keys(services).map(start))
    },
    down: async ({ volumes = false } = { volumes: false }) => {
      await compose('down', ...(volumes ? ['-v'] : []))
    },
    exec: async (service, ...command) => podman('exec', (await containers(service))[0] ?? '', ...command),
    logs: async service => podman('logs', (await containers(service))[0] ?? ''),
    async kill(service) {
      const [id = ''] = await containers(service)
      const readPid = async () => Number(await podman('inspect', '-f', '{{.State.Pid}}', id))
      const pid = await readPid()
      process.kill(pid, 'SIGKILL')
      // The restart policy starts the container again.
      while ([0, pid].includes(await readPid())) await sleep(500)
      await untilReady(service)
    },
    memory: async () => {
      const lines = await podman('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}')
      return lines
        .split('\n')
        .filter(line => line.startsWith(project))
        .join('\n')
    },
  }
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
