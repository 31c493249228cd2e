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
  /** The script of the process. It calls `receiveJob` first. */
  main: string
  /** The JSON job that the script receives, in addition to the bytes. */
  job: object
  bytes: Uint8Array
  /** Of the process, all included. */
  memoryBytes: number
  /** Kills the process when it aborts. */
  signal: AbortSignal
}

/** How a process ended. */
export interface End {
  signal: NodeJS.Signals | null
  /** Why the process could not be started. */
  error?: unknown
  /** The last characters of its standard error. */
  stderr: string
}

export interface IsolatedProcess {
  /** The frames that the process sends, until it ends. A frame that is cut off is dropped. */
  frames: AsyncIterable<Frame>
  /** Kills the process, if it still runs, and resolves when it has ended. */
  end(): Promise<End>
}

/** The heap's share of the memory; buffers and code lie outside the heap. */
const HEAP_SHARE = 0.8
const STDERR_CHARS = 2_000

/** The code of an isolated process, which is all that it may read. */
const ROOT = join(import.meta.dirname, '../../..')
const CODE = ['activities', 'domain', 'services', 'package.json', 'node_modules'].map(name =>
  realpathSync(join(ROOT, name)),
)

/**
 * Starts a process that parses bytes from an untrusted source. It reads them from its standard input and answers through
 * pipe 3. Its environment is empty, but for the folder of compiled modules, to which it may write until it has read the job.
 * It may read its own code, and may not write files, start processes or use the network. Node enforces this inside the
 * process, and namespaces around it where the system has them.
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
  // The process may end before it has read everything.
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(encodeJob({ ...job, memoryBytes, bytes: bytes.length }))
  child.stdin?.end(bytes)
  return {
    // There are no pipes when the system has no descriptors left.
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
      // Without a process there may be no 'close'.
      if (child.pid === undefined) resolve({ signal: null, error, stderr })
    })
    child.once('close', (code, signal) => resolve({ signal: signal ?? findExitSignal(code), error, stderr }))
  })
}

/** What ends a program with 128 and the number of a signal is the shell of its namespaces. */
function findExitSignal(code: number | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? []
  return (name as NodeJS.Signals | undefined) ?? null
}
