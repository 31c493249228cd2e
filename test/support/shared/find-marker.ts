import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { type ChainableCommander, Redis } from 'ioredis'
import { buildAlias } from '../../../search/index/names.ts'
import type { Stack } from '../stack/stack.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { text } from '../../../data/shared/table.ts'

/**
 * Searches all data that a stack stores for a word: every Postgres table, every Redis key, the search index, and the
 * histories in Temporal. Returns the places that contain the word.
 */
export async function findMarker(stack: Stack, workspaceId: string, marker: string): Promise<string[]> {
  const places = await Promise.all([
    findInPostgres(stack, workspaceId, marker),
    findInRedis(stack, marker),
    findInElasticsearch(stack, marker),
    findInTemporal(stack, marker),
  ])
  return places.flat().sort()
}

async function findInPostgres({ database }: Stack, workspaceId: string, marker: string): Promise<string[]> {
  const hex = Buffer.from(marker).toString('hex')
  return database.db.inWorkspace(workspaceId, async tx => {
    const tables = await select(
      tx,
      { name: text() },
      `select relname::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select')`,
    )
    const places: string[] = []
    for (const { name } of tables) {
      const rows = await execute(
        tx,
        `select from ${name} as stored where stored::text like $1 or stored::text like $2 limit 1`,
        [`%${marker}%`, `%${hex}%`],
      )
      if (rows > 0) places.push(`postgres: ${name}`)
    }
    return places
  })
}

async function findInRedis({ env }: Stack, marker: string): Promise<string[]> {
  const redis = new Redis(env['REDIS_URL'] ?? '')
  try {
    const places: string[] = []
    for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
      const values = await readKeys(redis, keys)
      for (const [key, value] of values) if (JSON.stringify(value).includes(marker)) places.push(`redis: ${key}`)
    }
    return places
  } finally {
    redis.disconnect()
  }
}

/** Reads many keys in two round trips, because all stacks share one database. */
async function readKeys(redis: Redis, keys: string[]): Promise<(readonly [string, unknown])[]> {
  const types = redis.pipeline()
  for (const key of keys) types.type(key)
  const values = redis.pipeline()
  for (const [i, [, type]] of ((await types.exec()) ?? []).entries()) readKey(values, keys[i] ?? '', String(type))
  return ((await values.exec()) ?? []).map(([error, value], i) => {
    if (error) throw error
    return [keys[i] ?? '', value]
  })
}

function readKey(redis: ChainableCommander, key: string, type: string): ChainableCommander {
  switch (type) {
    case 'stream':
      return redis.xrange(key, '-', '+')
    case 'hash':
      return redis.hgetall(key)
    case 'zset':
      return redis.zrange(key, 0, '-1')
    default:
      // A key that has expired in the meantime has no value.
      return redis.get(key)
  }
}

/** Returns whether a search would find the word. */
export const isIndexed = async (stack: Stack, marker: string): Promise<boolean> =>
  (await findInElasticsearch(stack, marker)).length > 0

async function findInElasticsearch({ env }: Stack, marker: string): Promise<string[]> {
  const index = `${env['ELASTICSEARCH_URL']}/${buildAlias(env['SEARCH_INDEX'] ?? '')}`
  await fetch(`${index}/_refresh`, { method: 'POST' })
  const search = async (query: object) => {
    const response = await fetch(`${index}/_search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ size: 1_000, query }),
    })
    return (await response.json()) as { hits: { hits: { _id: string; _source: object }[] } }
  }
  const all = await search({ match_all: {} })
  const texts = await search({
    bool: {
      should: [
        { match: { text: marker } },
        { nested: { path: 'chunks', query: { match: { 'chunks.text': marker } } } },
      ],
    },
  })
  const sources = all.hits.hits.filter(({ _source }) => JSON.stringify(_source).includes(marker))
  return [...new Set([...sources, ...texts.hits.hits].map(({ _id }) => `elasticsearch: ${_id}`))]
}

async function findInTemporal({ env }: Stack, marker: string): Promise<string[]> {
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] })
  const client = new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] })
  const { History } = proto.temporal.api.history.v1
  const { WorkflowExecutionInfo } = proto.temporal.api.workflow.v1
  try {
    const places: string[] = []
    for await (const { workflowId, runId, raw } of client.workflow.list({
      query: `TaskQueue = '${env['TEMPORAL_TASK_QUEUE']}'`,
    })) {
      // A deleted run can stay in the list for a moment.
      const history = await client.workflow
        .getHandle(workflowId, runId)
        .fetchHistory()
        .catch(() => ({}))
      const bytes = Buffer.concat([History.encode(history).finish(), WorkflowExecutionInfo.encode(raw).finish()])
      if (bytes.includes(marker)) places.push(`temporal: ${workflowId}`)
    }
    return places
  } finally {
    await connection.close()
  }
}
