/** Embeds some texts at once; gives their vectors in order. */
export type EmbedSlice = (texts: string[]) => Promise<Float32Array[]>

export interface SliceQueue {
  /** All vectors in order. Rejects with what a slice of it failed with, or the signal's reason. */
  embed(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>
}

interface Job {
  texts: string[]
  /** Numbers of texts still to be sent. */
  left: number[]
  vectors: Float32Array[]
  missing: number
  resolve(vectors: Float32Array[]): void
  reject(error: unknown): void
}

/**
 * A model gains by a few short texts at once, and loses by long ones (time goes with the longest, memory with the sum).
 * And the smaller a slice, the sooner a query has its turn.
 */
const MAX_TEXTS = 16
const MAX_CHARACTERS = 1_200
/** A call with at most so many texts is somebody's query, who waits for it. */
const FEW_TEXTS = 4
/** After so many slices of queries, one of the others comes in between. */
const QUERIES_IN_A_ROW = 8

/** Sends texts in small slices, one after the other, those of queries first. */
export function createSliceQueue(embedSlice: EmbedSlice): SliceQueue {
  const queries: Job[] = []
  const others: Job[] = []
  let inARow = 0
  let sending = false

  function nextSlice(): Item[] {
    const waits = others.length > 0 && inARow >= QUERIES_IN_A_ROW
    const line = queries.length > 0 && !waits ? queries : others
    inARow = line === queries ? inARow + 1 : 0
    return takeSlice(line)
  }

  async function send(): Promise<void> {
    if (sending) return
    sending = true
    for (let slice = nextSlice(); slice.length > 0; slice = nextSlice()) {
      try {
        const vectors = await embedSlice(slice.map(({ text }) => text))
        for (const [i, item] of slice.entries()) deliver(item, vectors[i])
      } catch (error) {
        for (const { job } of slice) fail(job, error)
      }
    }
    sending = false
  }

  function fail(job: Job, error: unknown): void {
    for (const line of [queries, others]) if (line.includes(job)) line.splice(line.indexOf(job), 1)
    job.reject(error)
  }

  return {
    async embed(texts, signal) {
      signal?.throwIfAborted()
      if (texts.length === 0) return []
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>()
      const job = { texts, left: byLength(texts), vectors: [], missing: texts.length, resolve, reject }
      const cancel = () => fail(job, signal?.reason)
      signal?.addEventListener('abort', cancel, { once: true })
      const line = texts.length <= FEW_TEXTS ? queries : others
      line.push(job)
      void send()
      return promise.finally(() => signal?.removeEventListener('abort', cancel))
    },
  }
}

interface Item {
  job: Job
  number: number
  text: string
}

/** The next texts of a line, of one call or several. */
function takeSlice(line: Job[]): Item[] {
  const slice: Item[] = []
  let characters = 0
  for (let job = line[0]; job && slice.length < MAX_TEXTS; job = line[0]) {
    const number = job.left.at(-1) ?? 0
    const text = job.texts[number] ?? ''
    characters += text.length
    if (slice.length > 0 && characters > MAX_CHARACTERS) break
    job.left.pop()
    slice.push({ job, number, text })
    if (job.left.length === 0) line.shift()
  }
  return slice
}

function deliver({ job, number }: Item, vector: Float32Array | undefined): void {
  if (!vector) return job.reject(new Error('The model gave too few vectors'))
  job.vectors[number] = vector
  if (--job.missing === 0) job.resolve(job.vectors)
}

/** Texts of one length fill a slice without padding. */
const byLength = (texts: string[]): number[] =>
  [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
