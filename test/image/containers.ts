import { run } from '../../dev/machine/shell.ts'

/** The engine and the image that `npm run test:image` passes on. */
const { CONTAINER_ENGINE: engineName = '', CONTAINER_IMAGE: image = '' } = process.env

export const engine = (...args: string[]): Promise<string> => run(engineName, args)

/** As in production: nothing but /tmp can be written, and the process has no capabilities. */
const HARDENED = [
  '--network=host',
  '--read-only',
  '--tmpfs=/tmp:rw,size=256m,mode=1777',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

type Environment = Record<string, string>

const variables = (env: Environment) => Object.entries(env).map(([name, value]) => `--env=${name}=${value}`)

/** Runs a command in a new container, and returns its output. */
export const runOnce = (env: Environment, ...command: string[]): Promise<string> =>
  engine('run', '--rm', ...HARDENED, ...variables(env), image, ...command)

export interface Container {
  name: string
  exec(env: Environment, ...command: string[]): Promise<string>
  logs(): Promise<string>
  /** Sends the image's stop signal, and returns the exit code. */
  stop(): Promise<number>
  remove(): Promise<void>
}

/** Starts a container in the background. Without a command, it runs the image's default command. */
export async function startContainer(
  name: string,
  { env, memory }: { env: Environment; memory: string },
  ...command: string[]
): Promise<Container> {
  await engine(
    'run',
    '--detach',
    `--name=${name}`,
    `--memory=${memory}`,
    ...HARDENED,
    ...variables(env),
    image,
    ...command,
  )
  return {
    name,
    exec: (more, ...program) => engine('exec', ...variables(more), name, ...program),
    logs: () => engine('logs', name),
    stop: async () => {
      await engine('stop', '--time=60', name)
      return Number(await engine('inspect', '--format={{.State.ExitCode}}', name))
    },
    remove: async () => void (await engine('rm', '--force', name)),
  }
}

export interface ImageDetails {
  Config: { Labels: Record<string, string>; User: string; StopSignal: string; Healthcheck?: { Test: string[] } }
  /** Where podman has it. */
  Healthcheck?: { Test: string[] }
}

/** Reads the settings of the image. */
export async function inspectImage(): Promise<ImageDetails> {
  const [details] = JSON.parse(await engine('image', 'inspect', image)) as [ImageDetails]
  return details
}
