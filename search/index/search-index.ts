import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '../../domain/errors.ts'
import { ElasticsearchRefusal } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'
import { buildMappings, SCHEMA, SETTINGS } from './mapping.ts'
import type { BuiltWith } from './mapping.ts'
import { toAlias, toIndexName, isIndexName, toWriteAlias } from './names.ts'

/** Whether the live index fits what this process is configured for. */
export type IndexState = { state: 'ready' } | { state: 'mismatch'; built_with: BuiltWith | null; configured: BuiltWith }

export interface IndexFacts {
  name: string
  /** True for the one that searches and live writes go to. */
  live: boolean
  built_with: BuiltWith | null
  created_at: string
}

/** The one index of all workspaces, and how it is replaced. Everything throws Unavailable. */
export interface SearchIndex {
  /**
   * Makes the index when there is none; of several processes at once one makes it. An index that was built with another
   * model or schema is left as it is, and said: it needs a rebuild.
   */
  ensure(): Promise<IndexState>
  /** The name of the live index. */
  live(): Promise<string | undefined>
  /** A new, empty index for a rebuild, which no search sees. It shows what was written only once it is live. */
  createTarget(): Promise<string>
  /**
   * Makes `to` the live index in place of `from`, in one step, with all that was written to it findable. Throws
   * Conflict when `from` is not the live one any more.
   */
  swapAlias(from: string | undefined, to: string): Promise<void>
  /** Removes an index with all in it, if it is there. */
  dropIndex(name: string): Promise<void>
  /** Every index there is under this prefix, oldest first. */
  listIndices(): Promise<IndexFacts[]>
  /** Makes what was written findable now, rather than within half a second. */
  refresh(): Promise<void>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  model: string
  dimensions: number
}

const READ_OPTIONS = { timeoutMs: 3_000 }
const WRITE_OPTIONS = { timeoutMs: 30_000 }
const ALREADY_THERE = 'resource_already_exists_exception'
const MAX_NAMES = 100

export function createSearchIndex({ elasticsearch, prefix, model, dimensions }: Deps): SearchIndex {
  const { call } = elasticsearch
  const alias = toAlias(prefix)
  const configured: BuiltWith = { model, dimensions, schema: SCHEMA }

  async function live(): Promise<string | undefined> {
    const found = await call(
      (client, options) => client.indices.getAlias({ name: alias }, { ...options, ignore: [404] }),
      READ_OPTIONS,
    )
    return 'error' in found ? undefined : Object.keys(found)[0]
  }

  /** An alias has one write index at most: when several processes come here at once, all but one fail. */
  async function create(settings: object, aliases: string[]): Promise<string> {
    const at = new Date()
    for (let n = 1; n <= MAX_NAMES; n++) {
      const index = toIndexName(prefix, at, n)
      const names = [...aliases, toWriteAlias(index)]
      const body = {
        settings: { ...SETTINGS, ...settings },
        mappings: buildMappings(configured),
        aliases: Object.fromEntries(names.map(name => [name, { is_write_index: true }])),
      }
      try {
        await call((client, options) => client.indices.create({ index, ...body }, options), WRITE_OPTIONS)
        return index
      } catch (error) {
        if (!isRefusedAs(error, ALREADY_THERE)) throw error
      }
    }
    throw new Conflict(`No name is left for an index of ${at.toISOString()}`)
  }

  async function getState(index: string): Promise<IndexState> {
    const found = await call((client, options) => client.indices.getMapping({ index }, options), READ_OPTIONS)
    const built_with = parseBuiltWith(found[index]?.mappings._meta)
    return isDeepStrictEqual(built_with, configured)
      ? { state: 'ready' }
      : { state: 'mismatch', built_with, configured }
  }

  return {
    live,
    ensure: async () => {
      const existing = await live()
      if (existing) return getState(existing)
      try {
        await create({}, [alias])
        return { state: 'ready' }
      } catch (error) {
        const winner = await live()
        if (winner === undefined) throw error
        return getState(winner)
      }
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
      if ('error' in reply) throw new Conflict(`${from} is not the live index any more`)
    },
    dropIndex: async index => {
      await call((client, options) => client.indices.delete({ index }, { ...options, ignore: [404] }), WRITE_OPTIONS)
    },
    listIndices: async () => {
      const found = await call((client, options) => client.indices.get({ index: `${alias}-*` }, options), READ_OPTIONS)
      return Object.entries(found)
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
