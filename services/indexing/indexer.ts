import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import { type Behind, deferBehind, postponeBehind, settleBehind, takeBehind } from '../../data/search-outbox-store.ts'
import { findIndexedHeads, findUncutVersions, type IndexedHead } from '../../data/search-state-store.ts'
import { Unavailable } from '../../domain/errors.ts'
import type { IndexState, SearchIndex } from '../../search/index/search-index.ts'
import type { PassageMaker } from './passages.ts'
import type { HeadWriter, Outcome, WriteOptions } from './writing.ts'

/** Brings what changed into the search index, soon after. */
export interface Indexer {
  /** Works until the signal fires. What it had taken then is taken again by whoever comes next. */
  run(signal: AbortSignal): Promise<void>
  /** Brings in what is due now. Gives how many entries it took. */
  drain(signal: AbortSignal): Promise<number>
}

export interface IndexerSettings {
  /** Between looks when nothing waits. */
  pollMs?: number
  /** Between attempts while a component is away. */
  awayMs?: number
}

interface Deps {
  db: Database
  index: Pick<SearchIndex, 'ensure' | 'live' | 'refresh'>
  write: HeadWriter
  passages: Pick<PassageMaker, 'cut'>
  log: Logger
}

interface Lane {
  isLarge: boolean
  /** Entries taken in one go. */
  atOnce: number
}

/** What has much to embed goes its own way, one by one, so that nothing small waits for it. */
const QUICK: Lane = { isLarge: false, atOnce: 64 }
const LARGE: Lane = { isLarge: true, atOnce: 1 }
/** Pieces to embed that make a resource large: some seconds' work. */
const MANY_PIECES = 64
/** What is taken belongs to its taker for so long, and longer as long as the taker lives. */
const LEASE_SECONDS = 15
const RENEW_MS = 5_000
const MAX_WAIT_SECONDS = 60

export function createIndexer({ db, index, write, passages, log }: Deps, settings: IndexerSettings = {}): Indexer {
  const { pollMs = 200, awayMs = 1_000 } = settings

  async function drain(signal: AbortSignal, { isLarge, atOnce }: Lane): Promise<number> {
    const taken = await db.system(tx => takeBehind(tx, { limit: atOnce, leaseSeconds: LEASE_SECONDS, isLarge }))
    if (taken.length === 0) return 0
    const ids = taken.map(({ id }) => id)
    const renewal = setInterval(() => {
      db.system(tx => postponeBehind(tx, ids, LEASE_SECONDS)).catch(() => undefined)
    }, RENEW_MS)
    try {
      for (const [workspaceId, own] of Map.groupBy(taken, entry => entry.workspace_id))
        await settle(own, await bring(workspaceId, own, { signal, mostMissing: isLarge ? undefined : MANY_PIECES }))
      // With more waiting, what is written shows a little later by itself.
      if (isLarge || taken.length < atOnce) await index.refresh()
    } catch (error) {
      // Their attempts did not fail by themselves: all come again as soon as the component is back.
      await db.system(tx => postponeBehind(tx, ids, awayMs / 1_000)).catch(() => undefined)
      throw error
    } finally {
      clearInterval(renewal)
    }
    return taken.length
  }

  async function bring(workspaceId: string, entries: Behind[], options: WriteOptions): Promise<Outcome[]> {
    const ids = [...new Set(entries.map(entry => entry.resource_id))]
    const [heads, former] = await db.inWorkspace(workspaceId, tx =>
      Promise.all([findIndexedHeads(tx, ids), findUncutVersions(tx, entries)]),
    )
    for (const version of former) await passages.cut(version, options.signal)
    // Asked for after the entries were taken: those that a swap of the index brings come after it.
    const live = await index.live()
    const behind = heads.filter(head => isBehind(head, live))
    const written = await write(behind, options)
    return [...written, ...ids.filter(id => !behind.some(head => head.id === id)).map(id => ({ id, done: true }))]
  }

  async function settle(entries: Behind[], outcomes: Outcome[]): Promise<void> {
    const outcomeOf = new Map(outcomes.map(outcome => [outcome.id, outcome]))
    const fates = Map.groupBy(entries, ({ resource_id }) => fateOf(outcomeOf.get(resource_id)))
    for (const { id, done, reason } of outcomes)
      if (reason !== undefined) log.warn({ resource_id: id, again: !done, reason }, 'indexing a resource failed')
    await db.system(tx => settleBehind(tx, idsOf(fates.get('done'))))
    await db.system(tx => deferBehind(tx, idsOf(fates.get('large'))))
    for (const [seconds, own] of Map.groupBy(fates.get('again') ?? [], waitOf))
      await db.system(tx => postponeBehind(tx, idsOf(own), seconds))
  }

  /** Says once what keeps it from working, and once that it works again. */
  let obstacle: string | undefined
  function tell(now: string | undefined, details: object = {}): void {
    if (now === obstacle) return
    if (now) log.error(details, now)
    else log.info('search indexing recovered')
    obstacle = now
  }

  async function step(signal: AbortSignal): Promise<number> {
    const state = await index.ensure()
    if (state.state === 'mismatch') {
      tell(mismatch(state))
      return awayMs
    }
    await keepBothDraining(signal)
    return 0
  }

  /** What stops one lane stops the other: both begin anew. Throws what it was. */
  async function keepBothDraining(signal: AbortSignal): Promise<void> {
    const broken = new AbortController()
    const either = AbortSignal.any([signal, broken.signal])
    const lanes = [QUICK, LARGE].map(lane => keepDraining(lane, either).catch((error: unknown) => broken.abort(error)))
    await Promise.all(lanes)
    broken.signal.throwIfAborted()
  }

  /** Until the signal fires, or something fails in either lane. */
  async function keepDraining(lane: Lane, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const taken = await drain(signal, lane)
      tell(undefined)
      if (taken < lane.atOnce) await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    drain: async signal => (await drain(signal, QUICK)) + (await drain(signal, LARGE)),
    async run(signal) {
      while (!signal.aborted) {
        const wait = await step(signal).catch((err: unknown) => {
          if (!signal.aborted) tell(reasonOf(err), { err })
          return awayMs
        })
        await sleep(wait, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

const isBehind = ({ indexed_revision, index_name, revision }: IndexedHead, live: string | undefined): boolean =>
  indexed_revision === null || indexed_revision < revision || index_name !== live

const fateOf = (outcome?: Outcome): 'done' | 'large' | 'again' =>
  outcome?.done ? 'done' : outcome?.isLarge ? 'large' : 'again'

const idsOf = (entries: Behind[] = []): number[] => entries.map(({ id }) => id)

const waitOf = ({ attempts }: Behind): number => Math.min(2 ** attempts, MAX_WAIT_SECONDS)

const reasonOf = (error: unknown): string =>
  error instanceof Unavailable ? 'search indexing failed: a component is unavailable' : 'search indexing failed'

/** Names both models, for whoever runs the service. */
export function mismatch({ built_with, configured }: Extract<IndexState, { state: 'mismatch' }>): string {
  const shown = (of: typeof built_with) =>
    of ? `${of.model} (${of.dimensions} dimensions, schema ${of.schema})` : 'nothing known'
  return `The search index was built with ${shown(built_with)}, this service is configured for ${shown(configured)}: run "cli reindex"`
}
