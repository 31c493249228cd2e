import { execFileSync } from 'node:child_process'
import { setPriority } from 'node:os'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { inspect } from 'node:util'
import { LRUCache } from 'lru-cache'
import { estimateTokens } from '../../../domain/chunking/approximate-tokens.ts'
import { generateChunks } from '../../../domain/chunking/chunk.ts'
import { ModelUnavailable } from './messages.ts'
import type { FromProcess, ChunkPosition, ProcessPriority, ProcessSettings, Task, ToProcess } from './messages.ts'
import type { Model } from './model.ts'

/** The process of the embedding model. It embeds texts, and chunks long texts between other tasks. */

/** The time after which a chunker yields to other tasks. */
const MAX_CHUNKING_MS = 10

/** By the scale of Unix, 0 to 19. */
const LOW_PRIORITY = 5
/** Token counts of texts. A new version of a text has most of its sentences from the former one. */
const MAX_CACHED_CHARS = 8_000_000
const counts = new LRUCache<string, number>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (_, text) => text.length + 1,
})

let settings: ProcessSettings | undefined
let loading: Promise<Model> | undefined
const cancelled = new Set<number>()

process.on('message', (message: ToProcess) => {
  if ('settings' in message) applySettings(message.settings)
  else if ('cancel' in message) cancelled.add(message.id)
  else void work(message.id, message.task)
})
process.on('disconnect', () => process.exit())
// A Ctrl-C reaches this process too. It ignores the signal and ends with its parent, which may have work in flight.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

/** Before the model is loaded: its threads have the priority of this one. */
function applySettings(given: ProcessSettings): void {
  settings = given
  applyPriority(given.priority)
}

function applyPriority(priority: ProcessPriority = 'normal'): void {
  if (priority === 'normal' || (priority === 'idle' && enterIdleClass())) return
  setPriority(LOW_PRIORITY)
}

/** Puts all threads of this process in the idle class of the scheduler, which Node cannot. False where there is none. */
function enterIdleClass(): boolean {
  try {
    execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)], {
      stdio: 'ignore',
      timeout: 5_000,
    })
    return true
  } catch {
    return false
  }
}

async function work(id: number, task: Task): Promise<void> {
  try {
    if (task.do === 'chunk') return await chunk(id, task.text)
    const model = await load()
    const embedded = task.do === 'embed' ? await model.embed(task.texts) : undefined
    send({ id, result: { embedded }, done: true })
  } catch (error) {
    const failed = error instanceof ModelUnavailable ? error.message : 'The embedding model failed'
    send({ id, failed, cause: inspect(error) })
  } finally {
    cancelled.delete(id)
  }
}

/** Loads the model once; the next task retries a failed load. The library is large, so it is imported on demand. */
function load(): Promise<Model> {
  const wanted = settings?.model
  if (!wanted) throw new Error('This process has no model')
  loading ??= import('./model.ts')
    .then(({ loadModel }) => loadModel(wanted))
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

async function chunk(id: number, text: string): Promise<void> {
  const { chunkTokens: maxTokens = 0, overlapTokens = 0 } = settings ?? {}
  const countTokens = settings?.model ? rememberCounts((await load()).countTokens) : estimateTokens
  let found: ChunkPosition[] = []
  let began = performance.now()
  for (const { text: _text, ...placed } of generateChunks(text, { countTokens, maxTokens, overlapTokens })) {
    found.push(placed)
    if (performance.now() - began < MAX_CHUNKING_MS) continue
    send({ id, result: { chunks: found }, done: false })
    await yieldToEventLoop()
    if (cancelled.has(id)) return
    found = []
    began = performance.now()
  }
  send({ id, result: { chunks: found }, done: true })
}

const rememberCounts = (countTokens: (text: string) => number) => (text: string) => {
  const known = counts.get(text)
  if (known !== undefined) return known
  const counted = countTokens(text)
  counts.set(text, counted)
  return counted
}

function send(message: FromProcess): void {
  process.send?.(message)
}
