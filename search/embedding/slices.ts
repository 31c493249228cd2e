/** What the model made of a text. */
export interface EmbeddedText {
  vector: Float32Array
  /** True when the model read only its beginning. */
  isTruncated: boolean
}

/** Embeds a slice of texts, in order. */
export type EmbedSlice = (texts: string[]) => Promise<EmbeddedText[]>

export interface SliceQueue {
  /** Embeds all texts, in order. Rejects with the error of a slice, or the signal's reason. */
  embed(texts: string[], signal?: AbortSignal): Promise<EmbeddedText[]>
}

interface Job {
  texts: string[]
  /** Indexes of the texts that are not sent yet. */
  remaining: number[]
  embedded: EmbeddedText[]
  missing: number
  resolve(embedded: EmbeddedText[]): void
  reject(error: unknown): void
}

export interface SliceOptions {
  /** Slices that are embedded at a time. Default: 1. */
  concurrency?: number
  /**
   * Slices are small: short texts are faster together, and long ones cost time by the longest and memory by the sum. A
   * smaller slice also shortens the wait of a query. A longer text is a slice by itself. Default: 1,200.
   */
  maxChars?: number
}

const MAX_SLICE_TEXTS = 16
/** A call with at most this number of texts counts as an interactive query. */
const MAX_QUERY_TEXTS = 4
/** After this number of query slices, one other slice follows. */
const MAX_CONSECUTIVE_QUERIES = 8

/** Creates a queue that sends texts in small slices, with queries first. */
export function createSliceQueue(
  embedSlice: EmbedSlice,
  { concurrency = 1, maxChars = 1_200 }: SliceOptions = {},
): SliceQueue {
  const queries: Job[] = []
  const others: Job[] = []
  let inARow = 0
  let senders = 0

  function nextSlice(): Item[] {
    const waits = others.length > 0 && inARow >= MAX_CONSECUTIVE_QUERIES
    const queue = queries.length > 0 && !waits ? queries : others
    inARow = queue === queries ? inARow + 1 : 0
    return shiftSlice(queue, maxChars)
  }

  async function send(): Promise<void> {
    senders++
    for (let slice = nextSlice(); slice.length > 0; slice = nextSlice()) {
      try {
        const embedded = await embedSlice(slice.map(({ text }) => text))
        for (const [i, item] of slice.entries()) deliver(item, embedded[i])
      } catch (error) {
        for (const { job } of slice) fail(job, error)
      }
    }
    senders--
  }

  function fail(job: Job, error: unknown): void {
    for (const queue of [queries, others]) if (queue.includes(job)) queue.splice(queue.indexOf(job), 1)
    job.reject(error)
  }

  return {
    async embed(texts, signal) {
      signal?.throwIfAborted()
      if (texts.length === 0) return []
      const { promise, resolve, reject } = Promise.withResolvers<EmbeddedText[]>()
      const job = { texts, remaining: sortByLength(texts), embedded: [], missing: texts.length, resolve, reject }
      const cancel = () => fail(job, signal?.reason)
      signal?.addEventListener('abort', cancel, { once: true })
      const queue = texts.length <= MAX_QUERY_TEXTS ? queries : others
      queue.push(job)
      while (senders < concurrency && queue.includes(job)) void send()
      return promise.finally(() => signal?.removeEventListener('abort', cancel))
    },
  }
}

interface Item {
  job: Job
  number: number
  text: string
}

/** Takes the next slice of a queue. It may hold texts of several calls. */
function shiftSlice(queue: Job[], maxChars: number): Item[] {
  const slice: Item[] = []
  let characters = 0
  for (let job = queue[0]; job && slice.length < MAX_SLICE_TEXTS; job = queue[0]) {
    const number = job.remaining.at(-1) ?? 0
    const text = job.texts[number] ?? ''
    characters += text.length
    if (slice.length > 0 && characters > maxChars) break
    job.remaining.pop()
    slice.push({ job, number, text })
    if (job.remaining.length === 0) queue.shift()
  }
  return slice
}

function deliver({ job, number }: Item, embedded: EmbeddedText | undefined): void {
  if (!embedded) return job.reject(new Error('The model gave too few vectors'))
  job.embedded[number] = embedded
  if (--job.missing === 0) job.resolve(job.embedded)
}

/** Sorts by length, because texts of equal length fill a slice without padding. */
const sortByLength = (texts: string[]): number[] =>
  [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
