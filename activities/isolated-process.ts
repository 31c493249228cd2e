import { type ChildProcess, spawn } from 'node:child_process'

/** How such a process ended. */
export interface End {
  signal: NodeJS.Signals | null
  /** Why there was no process. */
  error?: Error
  /** The last it said of itself. */
  stderr: string
}

/** Of the memory allowed, what the heap may take; buffers and code lie outside it. */
const HEAP_SHARE = 0.8
const STDERR_CHARS = 2_000

/**
 * Starts a process for bytes that come from anywhere: it gets them by its standard input and answers by its pipe 3. It
 * may read files, since it loads its own code, but write none and start nothing, and it is given no settings of ours.
 * Node can not close the network to it; no parser uses it. Throws where no process can be started.
 */
export function startIsolated(main: string, memoryBytes: number): ChildProcess {
  const heapMegabytes = Math.floor((memoryBytes * HEAP_SHARE) / 1_048_576)
  const flags = ['--permission', '--allow-fs-read=*', '--allow-worker', '--no-warnings']
  const args = [...flags, `--max-old-space-size=${heapMegabytes}`, main]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: {} })
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined)
  return child
}

export function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

export function endOf(child: ChildProcess): Promise<End> {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_CHARS)))
  return new Promise(resolve => {
    child.once('error', error => resolve({ signal: null, error, stderr }))
    child.once('close', (_code, signal) => resolve({ signal, stderr }))
  })
}
