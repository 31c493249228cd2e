import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import type { Readable } from 'node:stream'
import { readCompileCache } from '../../config/compile-cache.ts'
import { lowerPriority } from '../../services/low-priority.ts'
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

/**
 * Starts a process that parses bytes from an untrusted source. It reads them from its standard input and answers through
 * pipe 3. It may read files, since it loads its own code, but may not write files or start processes. Until it has read the
 * job, it may write compiled modules to their folder, which its environment names and nothing else. Node cannot block its
 * network; no parser uses it.
 */
export function startIsolated({ main, job, bytes, memoryBytes, signal }: IsolatedJob): IsolatedProcess {
  const heapMegabytes = Math.floor((memoryBytes * HEAP_SHARE) / 1_048_576)
  const env = readCompileCache()
  const flags = ['--permission', '--allow-fs-read=*', '--allow-worker', '--no-warnings']
  if (env.NODE_COMPILE_CACHE) flags.push(`--allow-fs-write=${env.NODE_COMPILE_CACHE}`)
  const args = [...flags, `--max-old-space-size=${heapMegabytes}`, main]
  const options: SpawnOptions = {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env: { ...env },
    signal,
    killSignal: 'SIGKILL',
  }
  let child: ChildProcess
  try {
    child = spawn(process.execPath, args, options)
  } catch (error) {
    return { frames: readFrames(), end: () => Promise.resolve({ signal: null, error, stderr: '' }) }
  }
  if (child.pid !== undefined) lowerPriority(child.pid)
  const ended = waitForEnd(child)
  // The process may end before it has read everything.
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(encodeJob({ ...job, memoryBytes, bytes: bytes.length }))
  child.stdin?.end(bytes)
  return {
    // There are no pipes when the system has no descriptors left.
    frames: readFrames((child.stdio as ChildProcess['stdio'] | undefined)?.[OUT] as Readable | undefined),
    end() {
      child.kill('SIGKILL')
      return ended
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
    child.once('close', (_code, signal) => resolve({ signal, error, stderr }))
  })
}
