import type { Database } from '../../../data/shared/database.ts'
import {
  reserveParts,
  saveSearchState,
  type IndexedHead,
  type SearchState,
} from '../../../data/search/search-state-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { IndexWriter } from '../../../search/index-writer.ts'
import { countParts, type Change, type WriteResult } from '../../../search/indexed-resource.ts'
import type { Chunker, ChunkedText, ChunkOptions } from './chunker.ts'

/** The outcome of indexing a head. */
export interface IndexOutcome {
  id: string
  /** False while the resource is missing from the index. */
  done: boolean
  /** True if the resource was not written because of its size. */
  isLarge?: boolean
  /** True if the index or the embedding model rejected the resource. */
  isRefused?: boolean
  reason?: string
}

interface PreparedHead extends ChunkedText {
  head: IndexedHead
}

export type HeadWriter = (heads: IndexedHead[], options: WriteOptions) => Promise<IndexOutcome[]>

/** A head that exceeds the limits is not written. */
export interface WriteOptions extends ChunkOptions {
  /** An index that is being built. Undefined for the live index. */
  target?: string
  /** The live index at the time its model was checked. */
  live?: string
}

/** Maximum number of chunks to embed and write together. */
const MAX_BATCH_CHUNKS = 1_000

interface Deps {
  db: Database
  index: IndexWriter
  chunker: Chunker
}

/**
 * Creates the writer for one workspace's heads. The writer chunks and embeds new texts. Throws Unavailable if a
 * component is unavailable. The call can then be repeated.
 */
export function createHeadWriter({ db, index, chunker }: Deps): HeadWriter {
  async function prepare(head: IndexedHead, options: WriteOptions): Promise<PreparedHead | undefined> {
    if (head.deleted_at !== null) return { head, chunks: [], text_key: head.text_key ?? '', problem: null }
    try {
      const chunked = await chunker.chunk(head, options)
      return chunked && { head, ...chunked }
    } catch (error) {
      if (error instanceof Unavailable || options.signal.aborted) throw error
      // The resource remains searchable by title.
      const problem = `its text could not be read: ${getReason(error)}`
      return { head, chunks: [], text_key: '', problem }
    }
  }

  /** Returns the heads that have no newer revision. Later outbox entries index the others. */
  async function filterCurrent(prepared: PreparedHead[]): Promise<PreparedHead[]> {
    const [first] = prepared
    if (!first) return []
    const heads = prepared.map(({ head, chunks }) => ({
      ...head,
      parts: head.deleted_at === null ? countParts({ chunks }) : 0,
    }))
    const current = await db.inWorkspace(first.head.workspace_id, tx => reserveParts(tx, heads))
    return prepared.filter(({ head }) => current.has(head.id))
  }

  async function writeGroup(prepared: PreparedHead[], { signal, target, live }: WriteOptions): Promise<IndexOutcome[]> {
    const group = await filterCurrent(prepared)
    const superseded = prepared
      .filter(candidate => !group.includes(candidate))
      .map(({ head }) => ({ id: head.id, done: true }))
    const [first] = group
    if (!first) return superseded
    const { workspace_id } = first.head
    const pieces = group.flatMap(({ head, chunks }) => chunks.map(chunk => ({ ...chunk, title: head.title })))
    const vectors = await chunker.embed(workspace_id, pieces, signal)
    const results = await index.write(
      group.map(prepared => buildChange(prepared, vectors)),
      { target: target ?? live, signal },
    )
    await db.inWorkspace(workspace_id, tx =>
      Promise.all(
        group
          .map((prepared, i) => buildSearchState(prepared, results[i] as WriteResult, target === undefined))
          .map(state => saveSearchState(tx, state)),
      ),
    )
    return [...superseded, ...group.map(({ head }, i) => describeOutcome(head, results[i] as WriteResult))]
  }

  /** Writes a group. If a text causes a failure, writes each head separately so that the other heads are indexed. */
  async function write(group: PreparedHead[], options: WriteOptions): Promise<IndexOutcome[]> {
    try {
      return await writeGroup(group, options)
    } catch (error) {
      if (error instanceof Unavailable || options.signal.aborted) throw error
      const [only] = group
      if (only && group.length === 1)
        return [{ id: only.head.id, done: false, isRefused: true, reason: getReason(error) }]
      const outcomes: IndexOutcome[] = []
      for (const each of group) outcomes.push(...(await write([each], options)))
      return outcomes
    }
  }

  return async (heads, options) => {
    const outcomes: IndexOutcome[] = []
    let group: PreparedHead[] = []
    for (const head of heads) {
      const prepared = await prepare(head, options)
      if (!prepared) {
        outcomes.push({ id: head.id, done: false, isLarge: true })
        continue
      }
      group.push(prepared)
      if (group.reduce((sum, { chunks }) => sum + chunks.length, 0) < MAX_BATCH_CHUNKS) continue
      outcomes.push(...(await write(group, options)))
      group = []
    }
    return [...outcomes, ...(await write(group, options))]
  }
}

function buildChange({ head, chunks }: PreparedHead, vectors: Map<string, Float32Array>): Change {
  const { id: resource_id, parts: formerParts, deleted_at, document } = head
  const revision = String(head.revision)
  if (deleted_at !== null) return { remove: { resource_id, revision, formerParts } }
  const { workspace_id, kind, slug, title, path, brain_id, version, created_at, updated_at } = head
  const metadata = getResourceKind(kind).metadata?.(document) ?? {}
  return {
    put: {
      workspace_id,
      resource_id,
      revision,
      kind,
      slug,
      title,
      path,
      brain_id,
      version,
      metadata,
      created_at,
      updated_at,
      formerParts,
      chunks: chunks.map(({ ordinal, text, heading, sha256 }) => {
        const vector = vectors.get(sha256)
        if (!vector) throw new Error(`no vector was generated for ${sha256}`)
        return { ordinal, text, heading, vector }
      }),
    },
  }
}

/**
 * Returns the state to save. A failed write keeps the indexed revision. The number of parts is never less than the
 * number that may exist. A rebuild keeps the live index's state.
 */
function buildSearchState(
  { head, chunks, text_key, problem }: PreparedHead,
  result: WriteResult,
  isLive: boolean,
): SearchState {
  const isIndexed = isLive && result.ok
  return {
    resource_id: head.id,
    text_key,
    revision: isIndexed ? head.revision : (head.indexed_revision ?? 0),
    index_name: isIndexed ? result.index : head.index_name,
    parts: isIndexed ? result.parts : Math.max(result.ok ? result.parts : countParts({ chunks }), head.parts),
    problem: result.ok ? problem : result.reason,
  }
}

const describeOutcome = ({ id }: IndexedHead, result: WriteResult): IndexOutcome =>
  result.ok ? { id, done: true } : { id, done: false, isRefused: !result.retry, reason: result.reason }

const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
