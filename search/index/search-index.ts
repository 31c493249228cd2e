import { isDeepStrictEqual } from 'node:util'
import { Conflict, Unavailable } from '../../domain/shared/errors.ts'
import { ElasticsearchRefusal } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'
import { buildMappings, SCHEMA, SETTINGS } from './mapping.ts'
import type { BuiltWith } from './mapping.ts'
import { buildAlias, buildIndexName, isIndexName, buildWriteAlias } from './names.ts'

/** The state of the live index, compared with this process's configuration. */
export type IndexState =
  { state: 'ready'; name: string } | { state: 'mismatch'; built_with: BuiltWith | null; configured: BuiltWith }

/** Thrown when the live index was built with a different embedding model or schema from the configured one. */
export class IndexMismatch extends Unavailable {
  constructor({ built_with, configured }: Extract<IndexState, { state: 'mismatch' }>) {
    const describe = (of: BuiltWith | null) =>
      of ? `${of.model} (${of.dimensions} dimensions, schema ${of.schema})` : 'an unknown model'
    super(
      `The search index was built with ${describe(built_with)}, but this process is configured for ${describe(configured)}. Use keyword search until an administrator runs "ganglion-admin reindex".`,
    )
  }
}

export interface IndexFacts {
  name: string
  /** True for the index that serves searches and receives live writes. */
  live: boolean
  built_with: BuiltWith | null
  created_at: string
}

/** The index for all workspaces, and its replacement during a rebuild. All methods may throw Unavailable. */
export interface SearchIndex {
  /**
   * Creates the index if it is missing. If several processes try at once, one succeeds. An index with a different
   * model or schema is left unchanged and reported as `mismatch`, because it must be rebuilt.
   */
  ensure(): Promise<IndexState>
  /** Returns the name of the live index. Creates the index if it is missing. Throws IndexMismatch. */
  requireReady(): Promise<string>
  /** Returns the name of the live index, or undefined if there is none. */
  live(): Promise<string | undefined>
  /** Creates an empty index for a rebuild. Searches can't see its documents until the index is live. */
  createTarget(): Promise<string>
  /**
   * Atomically replaces `from` with `to` as the live index. All documents in `to` are then searchable. Throws
   * Conflict when `from` is not the live index.
   */
  swapAlias(from: string | undefined, to: string): Promise<void>
  /** Deletes an index if it exists. */
  dropIndex(name: string): Promise<void>
  /** Lists all indices with this prefix, oldest first. */
  listIndices(): Promise<IndexFacts[]>
  /** Makes written documents searchable immediately, without waiting for the next refresh. */
  refresh(): Promise<void>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  model: string
  dimensions: number
  /** Whether the index contains the chunks of all versions instead of the heads. */
  ofVersions?: boolean
}

const WRITE_OPTIONS = { timeoutMs: 30_000 }
const ALREADY_THERE = 'resource_already_exists_exception'
const MAX_NAMES = 100

export function createSearchIndex({ elasticsearch, prefix, model, dimensions, ofVersions }: Deps): SearchIndex {
  const { call } = elasticsearch
  const readOptions = { timeoutMs: elasticsearch.readTimeoutMs }
  const alias = buildAlias(prefix)
  const configured: BuiltWith = { model, dimensions, schema: SCHEMA }

  async function live(): Promise<string | undefined> {
    const aliases = await call(
      (client, options) => client.indices.getAlias({ name: alias }, { ...options, ignore: [404] }),
      readOptions,
    )
    return 'error' in aliases ? undefined : Object.keys(aliases)[0]
  }

  /** Creates an index. An alias has at most one write index, so only one of several concurrent calls succeeds. */
  async function create(settings: object, aliases: string[]): Promise<string> {
    const at = new Date()
    for (let n = 1; n <= MAX_NAMES; n++) {
      const index = buildIndexName(prefix, at, n)
      const names = [...aliases, buildWriteAlias(index)]
      const body = {
        settings: { ...SETTINGS, ...settings },
        mappings: buildMappings(configured, { ofVersions }),
        aliases: Object.fromEntries(names.map(name => [name, { is_write_index: true }])),
      }
      try {
        await call((client, options) => client.indices.create({ index, ...body }, options), WRITE_OPTIONS)
        return index
      } catch (error) {
        if (!isRefusedAs(error, ALREADY_THERE)) throw error
      }
    }
    throw new Conflict(`No name is left for an index created at ${at.toISOString()}`)
  }

  /** Returns the state of the live index, or undefined when there is none. */
  async function getState(): Promise<IndexState | undefined> {
    const mappings = await call(
      (client, options) => client.indices.getMapping({ index: alias }, { ...options, ignore: [404] }),
      readOptions,
    )
    const [[name, index] = []] = 'error' in mappings ? [] : Object.entries(mappings)
    if (name === undefined) return undefined
    const built_with = parseBuiltWith(index?.mappings._meta)
    return isDeepStrictEqual(built_with, configured)
      ? { state: 'ready', name }
      : { state: 'mismatch', built_with, configured }
  }

  async function ensure(): Promise<IndexState> {
    const existing = await getState()
    if (existing) return existing
    try {
      return { state: 'ready', name: await create({}, [alias]) }
    } catch (error) {
      const winner = await getState()
      if (winner === undefined) throw error
      return winner
    }
  }

  return {
    live,
    ensure,
    requireReady: async () => {
      const state = await ensure()
      if (state.state === 'mismatch') throw new IndexMismatch(state)
      return state.name
    },
    createTarget: () => create({ refresh_interval: '-1' }, []),
    swapAlias: async (from, to) => {
      const settings = { refresh_interval: SETTINGS.refresh_interval }
      await call((client, options) => client.indices.putSettings({ index: to, settings }, options), WRITE_OPTIONS)
      await call((client, options) => client.indices.refresh({ index: to }, options), WRITE_OPTIONS)
      const add = { add: { index: to, alias, is_write_index: true } }
      const actions = from === undefined ? [add] : [{ remove: { index: from, alias, must_exist: true } }, add]
      const reply = await call(
        (client, options) => client.indices.updateAliases({ actions }, { ...options, ignore: [404] }),
        WRITE_OPTIONS,
      )
      if ('error' in reply) throw new Conflict(`${from} is no longer the live index`)
    },
    dropIndex: async index => {
      await call((client, options) => client.indices.delete({ index }, { ...options, ignore: [404] }), WRITE_OPTIONS)
    },
    listIndices: async () => {
      const indices = await call((client, options) => client.indices.get({ index: `${alias}-*` }, options), readOptions)
      return Object.entries(indices)
        .filter(([name]) => isIndexName(prefix, name))
        .map(([name, { aliases, mappings, settings }]) => ({
          name,
          live: alias in (aliases ?? {}),
          built_with: parseBuiltWith(mappings?._meta),
          created_at: new Date(Number(settings?.index?.creation_date ?? 0)).toISOString(),
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    refresh: async () => {
      await call((client, options) => client.indices.refresh({ index: alias }, options), WRITE_OPTIONS)
    },
  }
}

function parseBuiltWith(meta: Record<string, unknown> | undefined): BuiltWith | null {
  const { model, dimensions, schema } = meta ?? {}
  if (typeof model !== 'string' || typeof dimensions !== 'number' || typeof schema !== 'number') return null
  return { model, dimensions, schema }
}

const isRefusedAs = (error: unknown, type: string) => error instanceof ElasticsearchRefusal && error.type === type
