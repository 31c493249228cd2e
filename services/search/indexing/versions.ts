import type { Database } from '../../../data/shared/database.ts'
import { findUnchunkedVersions, type IndexedHead } from '../../../data/search/search-state-store.ts'
import {
  type ChunkRun,
  clearVersionSearchState,
  findDeletion,
  findVersionSearchStates,
  listChunkRuns,
  listUnchunkedVersions,
  saveVersionSearchState,
  type VersionSearchState,
} from '../../../data/search/version-search-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import { type Change, buildVersionedId } from '../../../search/indexed-resource.ts'
import type { VersionIndex } from '../../../search/search.ts'
import type { Chunker } from './chunker.ts'
import type { IndexOutcome } from './writing.ts'

/** Number of chunks to embed and write together. */
const MAX_BATCH_RUNS = 500

export interface VersionWriteOptions {
  signal: AbortSignal
  /** An index that is being built. Undefined for the live index. */
  target?: string
}

/**
 * Updates the version index for the given heads. Returns the heads that the index rejected. Throws Unavailable. The
 * call can then be repeated.
 */
export type VersionWriter = (heads: IndexedHead[], options: VersionWriteOptions) => Promise<IndexOutcome[]>

interface Deps {
  db: Database
  index: VersionIndex
  chunker: Chunker
}

/**
 * Creates the writer for the version index. A text shared by consecutive versions is stored as one index document, so
 * the index grows only with changes. A save adds new texts and marks removed texts as ended. If a resource moves or
 * its brain changes, all its texts are rewritten.
 */
export function createVersionWriter({ db, index, chunker }: Deps): VersionWriter {
  async function write(
    head: IndexedHead,
    searchState: VersionSearchState | undefined,
    options: WriteOptions,
  ): Promise<string | undefined> {
    const { signal, target, indexName } = options
    const owner = { resource_id: head.id, until: head.version }
    const place = describePlace(head)
    const covered = searchState?.index_name === indexName && searchState.place === place ? searchState.until : 0
    const inWorkspace = <T>(work: Parameters<typeof db.inWorkspace<T>>[1]) => db.inWorkspace(head.workspace_id, work)
    for (const version of await inWorkspace(tx => listUnchunkedVersions(tx, { ...owner, after: covered })))
      for (const savedHead of await inWorkspace(tx => findUnchunkedVersions(tx, [{ resource_id: head.id, version }])))
        await chunker.chunk(savedHead, { signal })
    const runs = await inWorkspace(tx => listChunkRuns(tx, { ...owner, after: covered }))
    for (let at = 0; at < runs.length; at += MAX_BATCH_RUNS) {
      const batch = runs.slice(at, at + MAX_BATCH_RUNS)
      const vectors = await chunker.embed(head.workspace_id, batch, signal)
      const results = await index.write(
        batch.map(run => buildChange(head, run, vectors)),
        { target: indexName, signal },
      )
      const failed = results.find(result => !result.ok)
      if (failed?.retry) throw new Unavailable(`The version index rejected a chunk: ${failed.reason}`)
      if (failed) return failed.reason
    }
    const state = { resource_id: head.id, revision: head.revision, until: head.version, place, index_name: indexName }
    const deletedBy = await inWorkspace(async tx => {
      await saveVersionSearchState(tx, state)
      return findDeletion(tx, head.id)
    })
    // During the write, the resource and its chunks may have been deleted.
    if (deletedBy !== null && target === undefined) await index.removeResource(head.id, deletedBy)
    return undefined
  }

  return async (heads, { signal, target }) => {
    const versioned = heads.filter(({ kind }) => getResourceKind(kind).hasSearchableVersions)
    const [first] = versioned
    if (!first) return []
    const ids = versioned.map(({ id }) => id)
    const states = await db.inWorkspace(first.workspace_id, tx => findVersionSearchStates(tx, ids))
    const stateById = new Map(states.map(state => [state.resource_id, state]))
    const indexName = target ?? (await index.requireReady())
    const refused: IndexOutcome[] = []
    for (const head of versioned) {
      const state = stateById.get(head.id)
      const isCovered = state && state.revision >= head.revision && state.index_name === indexName
      if (head.deleted_at !== null) await removeDeleted(head, state)
      else if (!isCovered) {
        const reason = await write(head, state, { signal, target, indexName })
        if (reason !== undefined) refused.push({ id: head.id, done: false, isRefused: true, reason })
      }
    }
    return refused
  }

  async function removeDeleted({ id, workspace_id, revision }: IndexedHead, state?: VersionSearchState): Promise<void> {
    if (!state) return
    await index.removeResource(id, revision)
    await db.inWorkspace(workspace_id, tx => clearVersionSearchState(tx, id))
  }
}

type WriteOptions = VersionWriteOptions & { indexName: string }

/** Describes the head fields that are repeated in every chunk. */
const describePlace = ({ kind, slug, path, brain_id, deleted_at }: IndexedHead): string =>
  JSON.stringify([kind, slug, path, brain_id, deleted_at])

function buildChange(head: IndexedHead, run: ChunkRun, vectors: Map<string, Float32Array>): Change {
  const { workspace_id, kind, slug, path, brain_id, document, created_at, updated_at } = head
  const { first_version: version, last_version, ordinal, heading, text, title, sha256 } = run
  const vector = vectors.get(sha256)
  if (!vector) throw new Error(`no vector was generated for ${sha256}`)
  return {
    put: {
      workspace_id,
      resource_id: buildVersionedId({ resource_id: head.id, version, ordinal }),
      revision: String(head.revision),
      kind,
      slug,
      title,
      path,
      brain_id,
      version,
      ...(last_version < head.version && { last_version }),
      metadata: getResourceKind(kind).metadata?.(document) ?? {},
      created_at,
      updated_at,
      formerParts: 0,
      chunks: [{ ordinal, text, heading, vector }],
    },
  }
}
