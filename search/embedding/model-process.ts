import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { readCompileCache } from '../../config/compile-cache.ts'
import { wrapInNamespaces } from '../../config/namespaces.ts'
import type { Chunk } from '../../domain/chunking/chunk.ts'
import { Unavailable } from '../../domain/errors.ts'
import type { EmbeddedTexts, FromProcess, ProcessSettings, Result, Task, ToProcess } from './process/messages.ts'

/**
 * The model in a separate process, started by the first task and restarted by the next one after it ends. A thread is
 * not sufficient: the runtime aborts the whole process when it fails, or when a thread is ended during computation.
 */
export interface ModelProcess {
  load(): Promise<void>
  embed(texts: string[], signal?: AbortSignal): Promise<EmbeddedTexts>
  chunk(text: string, signal?: AbortSignal): Promise<Chunk[]>
  close(): Promise<void>
}

/** What the process does with texts. */
export type ModelTasks = Pick<ModelProcess, 'embed' | 'chunk'>

interface Pending {
  onResult(result: Result): void
  resolve(): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

const MAIN = fileURLToPath(new URL('process/main.ts', import.meta.url))
/** Sufficient for a text of the maximum size. */
const HEAP_MB = 1_024
const STDERR_CHARACTERS = 2_000

/** @param timeoutMs how long the process may be silent about a task before it is killed */
export function createModelProcess(settings: ProcessSettings, timeoutMs: number): ModelProcess {
  const pending = new Map<number, Pending>()
  let child: ChildProcess | undefined
  let lastId = 0
  let closed = false

  function start(): ChildProcess {
    const started = startChild(settings)
    let stderr = ''
    started.stderr?.on('data', (text: Buffer) => (stderr = (stderr + text.toString()).slice(-STDERR_CHARACTERS)))
    const ended = (why: string) => {
      if (child === started) killProcess(new Error(`The process ${why}\n${stderr}`))
    }
    started.on('message', receive)
    started.on('error', error => ended(error.message))
    started.on('exit', (code, signal) => ended(`ended with ${signal ?? code}`))
    send(started, { settings })
    return started
  }

  /** Kills the process and fails its pending tasks. The next task starts another process. */
  function killProcess(cause: Error): void {
    child?.kill('SIGKILL')
    child = undefined
    for (const id of pending.keys())
      takePending(id)?.reject(new Unavailable('The embedding process ended unexpectedly', { cause }))
  }

  function takePending(id: number): Pending | undefined {
    const task = pending.get(id)
    clearTimeout(task?.timer)
    pending.delete(id)
    return task
  }

  function receive(message: unknown): void {
    const reply = message as FromProcess
    const task = pending.get(reply.id)
    if (!task) return
    if ('failed' in reply)
      return takePending(reply.id)?.reject(new Unavailable(reply.failed, { cause: new Error(reply.cause) }))
    task.onResult(reply.result)
    if (reply.done) takePending(reply.id)?.resolve()
    else task.timer.refresh()
  }

  async function run(task: Task, onResult: Pending['onResult'], signal?: AbortSignal): Promise<void> {
    if (closed) throw new Unavailable('The embedder is closed')
    signal?.throwIfAborted()
    const to = (child ??= start())
    const id = ++lastId
    const cancel = () => {
      takePending(id)?.reject(signal?.reason)
      send(to, { id, cancel: true })
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    pending.set(id, { onResult, resolve, reject, timer: setTimeout(() => handleTimeout(id, to), timeoutMs) })
    signal?.addEventListener('abort', cancel, { once: true })
    send(to, { id, task })
    await promise.finally(() => signal?.removeEventListener('abort', cancel))
  }

  function handleTimeout(id: number, silent: ChildProcess): void {
    const cause = new Error(`No word of it for ${timeoutMs} ms`)
    takePending(id)?.reject(new Unavailable('The embedding model timed out', { cause }))
    if (child === silent) killProcess(cause)
  }

  return {
    load: () => run({ do: 'load' }, () => undefined),
    async embed(texts, signal) {
      let embedded: EmbeddedTexts = { vectors: new Float32Array(), truncated: [] }
      await run({ do: 'embed', texts }, result => (embedded = result.embedded ?? embedded), signal)
      return embedded
    },
    async chunk(text, signal) {
      const chunks: Chunk[] = []
      const collect = (result: Result) => {
        for (const placed of result.chunks ?? []) chunks.push({ ...placed, text: text.slice(placed.start, placed.end) })
      }
      await run({ do: 'chunk', text }, collect, signal)
      return chunks
    },
    async close() {
      closed = true
      const gone = child && once(child, 'exit')
      child?.ref()
      killProcess(new Error('The embedder was closed'))
      await gone
    },
  }
}

/**
 * Starts the process without the settings of this one, and without a network unless it fetches the model. Only a task in
 * flight keeps this process alive for it.
 */
function startChild({ model }: ProcessSettings): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--no-warnings']
  const [execPath, execArgv] =
    model?.hub === undefined ? wrapInNamespaces(process.execPath, flags) : [process.execPath, flags]
  const child = fork(MAIN, {
    env: { ...readCompileCache() },
    execPath,
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  const stderr = child.stderr as Socket | null
  stderr?.unref()
  return child
}

/** Sends a message. A failure to send is ignored, because the exit of the process fails its tasks. */
function send(child: ChildProcess, message: ToProcess): void {
  child.send(message, () => undefined)
}
