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
import type { SearchIndex } from '../../../search/index/search-index.ts'
import { createHealth, createLoop } from '../../shared/loop.ts'
import type { Chunker } from './chunker.ts'
import type { VersionWriter } from './versions.ts'
import type { HeadWriter, IndexOutcome, WriteOptions } from './writing.ts'

/** Writes changed resources to the search index. */
export interface Indexer {
  /** Runs until the signal aborts. Entries that are leased at that time become due again when their leases expire. */
  run(signal: AbortSignal): Promise<void>
  /** Indexes due entries. Returns the number of indexed entries. */
  drain(signal: AbortSignal): Promise<number>
}

export interface IndexerSettings {
  /** Polling interval while no entry is due. */
  pollMs?: number
  /** Retry interval while a component is unavailable. */
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
  /** Maximum number of entries per lease. */
  batchSize: number
}

/** Large resources have a separate queue and are indexed one by one, so that they do not delay small resources. */
const SMALL_QUEUE: Queue = { isLarge: false, batchSize: 64 }
const LARGE_QUEUE: Queue = { isLarge: true, batchSize: 1 }
/**
 * Small resources have two concurrent leases. While the texts in one lease are embedded, the other lease can read,
 * chunk and write.
 */
const LANES = [SMALL_QUEUE, SMALL_QUEUE, LARGE_QUEUE]
/** Entries that exceed these limits go to the large queue, because indexing them takes a second or longer. */
const MAX_SMALL = { chars: 20_000, chunks: 16 }
/** Lease duration. The indexer renews a lease while it works on the lease's entries. */
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
      for (const [workspaceId, workspaceEntries] of Map.groupBy(leased, entry => entry.workspace_id))
        await acknowledge(
          workspaceEntries,
          await indexEntries(workspaceId, workspaceEntries, { signal, most: isLarge ? undefined : MAX_SMALL }),
        )
      // While more entries are due, the periodic refresh of the index is sufficient.
      isRefreshDue = true
      if (isLarge || leased.length < batchSize) await refresh()
    } catch (error) {
      // The entries did not cause the failure, so they all become due again at the next attempt.
      await db.system(tx => rescheduleEntries(tx, ids, retryMs / 1_000)).catch(() => undefined)
      throw error
    } finally {
      clearInterval(renewal)
    }
    return leased.length
  }

  /** Whether recent writes may not be searchable yet. */
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
    // Read after the lease, because swapping the index adds entries afterwards. The index model is checked for each
    // lease, and writes go only to this index.
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
      if (reason !== undefined) log.warn({ resource_id: id, reason }, 'indexing a resource failed; retrying')
    await db.system(tx => deleteEntries(tx, listIds(byOutcome.get('done'))))
    await db.system(tx => moveToLargeQueue(tx, listIds(byOutcome.get('large'))))
    const failures = (byOutcome.get('again') ?? []).map(entry => ({
      id: entry.id,
      seconds: computeBackoffSeconds(entry),
      failure: outcomesById.get(entry.resource_id)?.reason ?? 'the resource was not written',
    }))
    if (failures.length > 0) await db.system(tx => recordFailures(tx, failures))
  }

  /** Whether the index is usable and nothing has failed since the last check. */
  let isReady = false
  async function requireReady(): Promise<void> {
    if (!isReady) await index.requireReady()
    isReady = true
  }
  function askAgain(error: unknown): never {
    isReady = false
    throw error
  }

  const health = createHealth('search indexing', log)
  const lanes = LANES.map(queue =>
    createLoop({
      name: 'search indexing',
      round: async signal => {
        await requireReady()
        return (await drain(signal, queue).catch(askAgain)) < queue.batchSize ? pollMs : 0
      },
      idleMs: pollMs,
      retryMs,
      health,
      log,
    }),
  )

  return {
    drain: async signal => (await drain(signal, SMALL_QUEUE)) + (await drain(signal, LARGE_QUEUE)),
    run: async signal => void (await Promise.all(lanes.map(lane => lane.run(signal)))),
  }
}

const isOutdated = ({ indexed_revision, index_name, revision }: IndexedHead, live: string | undefined): boolean =>
  indexed_revision === null || indexed_revision < revision || index_name !== live

const classifyOutcome = (outcome?: IndexOutcome): 'done' | 'large' | 'again' =>
  outcome?.done ? 'done' : outcome?.isLarge ? 'large' : 'again'

const listIds = (entries: OutboxEntry[] = []): number[] => entries.map(({ id }) => id)

const computeBackoffSeconds = ({ attempts }: OutboxEntry): number => Math.min(2 ** attempts, MAX_WAIT_SECONDS)
