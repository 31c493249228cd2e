import { CHECKOUT } from './folders.ts'
import { run, succeeds, which } from './shell.ts'

/** The command of a container engine. Both commands have the same arguments. */
export type ContainerEngine = 'docker' | 'podman'

const ENGINES: ContainerEngine[] = ['docker', 'podman']
const ANSWER_MS = 20_000
const BUILD_MS = 40 * 60_000

/** Returns Docker if its engine responds, or else podman. To disable Docker, set `GANGLION_DOCKER=off`. */
export async function findContainerEngine(): Promise<ContainerEngine | undefined> {
  for (const engine of ENGINES) {
    const isOff = engine === 'docker' && process.env['GANGLION_DOCKER'] === 'off'
    if (!isOff && which(engine) && (await succeeds(engine, ['ps'], { timeoutMs: ANSWER_MS }))) return engine
  }
  return undefined
}

/** Builds the image from the Dockerfile. Unchanged layers come from the engine's cache. */
export async function buildImage(engine: ContainerEngine, tag: string, args: Record<string, string>): Promise<void> {
  // Podman builds without extra privileges, also in a container, and keeps the health check only in this format.
  const options = engine === 'podman' ? ['--isolation', 'chroot', '--format', 'docker'] : []
  const buildArgs = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  await run(engine, ['build', ...options, ...buildArgs, '-t', tag, '.'], { cwd: CHECKOUT, timeoutMs: BUILD_MS })
}
