import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../../data/shared/database.ts'
import {
  type OutboxEntry,
  moveToLargeQueue,
  recordFailures,
  rescheduleEntries,
  deleteEntries,
  leaseEntries,
} from '../../../data/search/search-outbox-store.ts'
import { findIndexedHeads, findUnchunkedVersions, type IndexedHead } from '../../../data/search/search-state-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import { IndexMismatch, type SearchIndex } from '../../../search/index/search-index.ts'
import type { Chunker } from './chunker.ts'
import type { VersionWriter } from './versions.ts'
import type { HeadWriter, IndexOutcome, WriteOptions } from './writing.ts'

/** Writes changed resources to the search index. */
export interface Indexer {
  /** Runs until the signal fires. Entries that are leased at that time become due again when their leases end. */
  run(signal: AbortSignal): Promise<void>
  /** Indexes the entries that are due. Returns their number. */
  drain(signal: AbortSignal): Promise<number>
}

export interface IndexerSettings {
  /** Interval of polls while no entry is due. */
  pollMs?: number
  /** Interval of attempts while a component is unavailable. */
  retryMs?: number
}

interface Deps {
  db: Database
  index: Pick<SearchIndex, 'requireReady' | 'refresh'> & { versions: Pick<SearchIndex, 'refresh'> }
  write: HeadWriter
  writeVersions: VersionWriter
  chunker: Pick<Chunker, 'chunk'>
  log: Logger
}

interface Queue {
  isLarge: boolean
  /** Maximum number of entries of one lease. */
  batchSize: number
}

/** Large resources have a separate queue and are indexed one by one, so that small ones do not wait for them. */
const SMALL_QUEUE: Queue = { isLarge: false, batchSize: 64 }
const LARGE_QUEUE: Queue = { isLarge: true, batchSize: 1 }
/** Two leases of small resources at a time: while the texts of one are embedded, those of the other are read, cut and written. */
const LANES = [SMALL_QUEUE, SMALL_QUEUE, LARGE_QUEUE]
/** What is more work is large: it takes a second or longer. */
const MAX_SMALL = { chars: 20_000, chunks: 16 }
/** Lifetime of a lease. It is renewed while the indexer works on the entries. */
const LEASE_SECONDS = 15
const RENEW_MS = 5_000
const MAX_WAIT_SECONDS = 60

export function createIndexer(
  { db, index, write, writeVersions, chunker, log }: Deps,
  settings: IndexerSettings = {},
): Indexer {
  const { pollMs = 200, retryMs = 1_000 } = settings

  async function drain(signal: AbortSignal, { isLarge, batchSize }: Queue): Promise<number> {
    const leased = await db.system(tx => leaseEntries(tx, { limit: batchSize, leaseSeconds: LEASE_SECONDS, isLarge }))
    if (leased.length === 0) {
      if (isRefreshDue) await refresh()
      return 0
    }
    const ids = leased.map(({ id }) => id)
    const renewal = setInterval(() => {
      db.system(tx => rescheduleEntries(tx, ids, LEASE_SECONDS)).catch(() => undefined)
    }, RENEW_MS)
    try {
      for (const [workspaceId, own] of Map.groupBy(leased, entry => entry.workspace_id))
        await acknowledge(own, await indexEntries(workspaceId, own, { signal, most: isLarge ? undefined : MAX_SMALL }))
      // While more entries wait, the periodic refresh of the index is sufficient.
      isRefreshDue = true
      if (isLarge || leased.length < batchSize) await refresh()
    } catch (error) {
      // The failure is not caused by the entries: all are due again at the next attempt.
      await db.system(tx => rescheduleEntries(tx, ids, retryMs / 1_000)).catch(() => undefined)
      throw error
    } finally {
      clearInterval(renewal)
    }
    return leased.length
  }

  /** Whether something was written that may not be searchable yet. */
  let isRefreshDue = false
  async function refresh(): Promise<void> {
    isRefreshDue = false
    await Promise.all([index.refresh(), index.versions.refresh().catch(() => undefined)])
  }

  async function indexEntries(
    workspaceId: string,
    entries: OutboxEntry[],
    options: WriteOptions,
  ): Promise<IndexOutcome[]> {
    const ids = [...new Set(entries.map(entry => entry.resource_id))]
    const [heads, unchunked] = await db.inWorkspace(workspaceId, tx =>
      Promise.all([findIndexedHeads(tx, ids), findUnchunkedVersions(tx, entries)]),
    )
    // Read after the lease: a swap of the index adds its entries after it. Its model is checked for each lease, and what is
    // written goes to no other index.
    const live = await index.requireReady()
    const outdated = heads.filter(head => isOutdated(head, live))
    const outcomes = new Map<string, IndexOutcome>(ids.map(id => [id, { id, done: true }]))
    for (const outcome of await write(outdated, { ...options, live })) outcomes.set(outcome.id, outcome)
    for (const version of unchunked)
      if (!(await chunker.chunk(version, options)))
        outcomes.set(version.id, { id: version.id, done: false, isLarge: true })
    const versioned = heads.filter(({ id }) => !outcomes.get(id)?.isLarge)
    for (const outcome of await writeVersions(versioned, options)) outcomes.set(outcome.id, outcome)
    return [...outcomes.values()]
  }

  async function acknowledge(entries: OutboxEntry[], outcomes: IndexOutcome[]): Promise<void> {
    const outcomesById = new Map(outcomes.map(outcome => [outcome.id, outcome]))
    const byOutcome = Map.groupBy(entries, ({ resource_id }) => classifyOutcome(outcomesById.get(resource_id)))
    for (const { id, reason } of outcomes)
      if (reason !== undefined) log.warn({ resource_id: id, reason }, 'indexing a resource failed and is retried')
    await db.system(tx => deleteEntries(tx, listIds(byOutcome.get('done'))))
    await db.system(tx => moveToLargeQueue(tx, listIds(byOutcome.get('large'))))
    const failures = (byOutcome.get('again') ?? []).map(entry => ({
      id: entry.id,
      seconds: computeBackoffSeconds(entry),
      failure: outcomesById.get(entry.resource_id)?.reason ?? 'it was not written',
    }))
    if (failures.length > 0) await db.system(tx => recordFailures(tx, failures))
  }

  /** Logs each failure once, and the recovery once. */
  let currentFailure: string | undefined
  function reportHealth(now: string | undefined, details: object = {}): void {
    if (now === currentFailure) return
    if (now) log.error(details, now)
    else log.info('search indexing recovered')
    currentFailure = now
  }

  async function runOnce(signal: AbortSignal): Promise<number> {
    await index.requireReady()
    await drainQueues(signal)
    return 0
  }

  /** Drains the queues. A failure of one lane stops all and is thrown. */
  async function drainQueues(signal: AbortSignal): Promise<void> {
    const broken = new AbortController()
    const either = AbortSignal.any([signal, broken.signal])
    const drains = LANES.map(lane => drainQueue(lane, either).catch((error: unknown) => broken.abort(error)))
    await Promise.all(drains)
    broken.signal.throwIfAborted()
  }

  /** Drains a queue until the signal fires or a lane fails. */
  async function drainQueue(queue: Queue, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const taken = await drain(signal, queue)
      reportHealth(undefined)
      if (taken < queue.batchSize) await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    drain: async signal => (await drain(signal, SMALL_QUEUE)) + (await drain(signal, LARGE_QUEUE)),
    async run(signal) {
      while (!signal.aborted) {
        const wait = await runOnce(signal).catch((err: unknown) => {
          if (!signal.aborted) reportHealth(describeFailure(err), { err })
          return retryMs
        })
        await sleep(wait, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

const isOutdated = ({ indexed_revision, index_name, revision }: IndexedHead, live: string | undefined): boolean =>
  indexed_revision === null || indexed_revision < revision || index_name !== live

const classifyOutcome = (outcome?: IndexOutcome): 'done' | 'large' | 'again' =>
  outcome?.done ? 'done' : outcome?.isLarge ? 'large' : 'again'

const listIds = (entries: OutboxEntry[] = []): number[] => entries.map(({ id }) => id)

const computeBackoffSeconds = ({ attempts }: OutboxEntry): number => Math.min(2 ** attempts, MAX_WAIT_SECONDS)

const describeFailure = (error: unknown): string =>
  error instanceof IndexMismatch
    ? error.message
    : error instanceof Unavailable
      ? 'search indexing failed: a component is unavailable'
      : 'search indexing failed'
