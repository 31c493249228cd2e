import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { readCompileCache } from '../../../config/compile-cache.ts'
import { wrapInNamespaces } from '../../../config/namespaces.ts'
import { lowerPriority } from '../../../observability/fairness/low-priority.ts'
import { type Frame, readFrames } from './frames.ts'
import { encodeJob, OUT } from './wire.ts'

export interface IsolatedJob {
  /** The script that the process runs. The script must call `receiveJob` first. */
  main: string
  /** The job to pass to the script as JSON, in addition to the bytes. */
  job: object
  bytes: Uint8Array
  /** Maximum total memory of the process. */
  memoryBytes: number
  /** Kills the process when it aborts. */
  signal: AbortSignal
}

/** How a process ended. */
export interface End {
  signal: NodeJS.Signals | null
  /** The error, if the process could not be started. */
  error?: unknown
  /** The last characters written to standard error. */
  stderr: string
}

export interface IsolatedProcess {
  /** The frames that the process sends until it ends. An incomplete frame is dropped. */
  frames: AsyncIterable<Frame>
  /** Kills the process if it is still running. Resolves when the process has ended. */
  end(): Promise<End>
}

/** The heap's share of the memory limit. Buffers and code are outside the heap. */
const HEAP_SHARE = 0.8
const STDERR_CHARS = 2_000

/** The folder with the code of an isolated process. The process can read no other files. */
const ROOT = join(import.meta.dirname, '../../..')
const CODE = ['activities', 'domain', 'services', 'package.json', 'node_modules'].map(name =>
  realpathSync(join(ROOT, name)),
)

/**
 * Starts a process that parses bytes from an untrusted source. The process reads the bytes from standard input and
 * writes responses only to its own pipe. Its environment is empty except for the compile cache folder, which is
 * writable until the process has read the job. The process can read its own code. It cannot write other files, start
 * processes or use the network. Node enforces this inside the process. Where the system supports namespaces, they
 * also enforce it from outside.
 */
export function startIsolated({ main, job, bytes, memoryBytes, signal }: IsolatedJob): IsolatedProcess {
  const heapMegabytes = Math.floor((memoryBytes * HEAP_SHARE) / 1_048_576)
  const env = readCompileCache()
  const flags = ['--permission', '--allow-worker', '--no-warnings', ...CODE.map(path => `--allow-fs-read=${path}`)]
  if (env.NODE_COMPILE_CACHE)
    flags.push(`--allow-fs-read=${env.NODE_COMPILE_CACHE}`, `--allow-fs-write=${env.NODE_COMPILE_CACHE}`)
  const args = [...flags, `--max-old-space-size=${heapMegabytes}`, main]
  const options: SpawnOptions = {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env: { ...env },
    signal,
    killSignal: 'SIGKILL',
  }
  let child: ChildProcess
  try {
    child = spawn(...wrapInNamespaces(process.execPath, args), options)
  } catch (error) {
    return { frames: readFrames(), end: () => Promise.resolve({ signal: null, error, stderr: '' }) }
  }
  if (child.pid !== undefined) lowerPriority(child.pid)
  const exit = waitForEnd(child)
  // The process may end before it has read all its input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(encodeJob({ ...job, memoryBytes, bytes: bytes.length }))
  child.stdin?.end(bytes)
  return {
    // There are no pipes if the system has run out of file descriptors.
    frames: readFrames((child.stdio as ChildProcess['stdio'] | undefined)?.[OUT] as Readable | undefined),
    end() {
      child.kill('SIGKILL')
      return exit
    },
  }
}

function waitForEnd(child: ChildProcess): Promise<End> {
  let stderr = ''
  let error: unknown
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_CHARS)))
  return new Promise(resolve => {
    child.on('error', cause => {
      error = cause
      // Without a process there may be no 'close' event.
      if (child.pid === undefined) resolve({ signal: null, error, stderr })
    })
    child.once('close', (code, signal) => resolve({ signal: signal ?? findExitSignal(code), error, stderr }))
  })
}

/** An exit code of 128 plus a signal number comes from the shell that runs the namespaces. */
function findExitSignal(code: number | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? []
  return (name as NodeJS.Signals | undefined) ?? null
}
