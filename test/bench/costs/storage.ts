import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { STATE_DIR } from '../../../dev/stack/stack.ts'
import { openStateDir } from '../../../dev/stack/state/state-dir.ts'
import type { Stack } from '../../support/stack/stack.ts'

/** Stored bytes per component, and the number of database rows. */
export interface Stored {
  rows: number
  postgres: number
  redis: number
  temporal: number
  elasticsearch: number
}

export async function readStored({ env, database }: Stack): Promise<Stored> {
  const [sizes, temporal, redis, elasticsearch] = await Promise.all([
    readDatabase(database.adminUrl),
    readTemporal(database.adminUrl),
    readRedis(env['REDIS_URL'] ?? ''),
    readElasticsearch(env),
  ])
  return { ...sizes, redis, elasticsearch, temporal }
}

/** Row-level security hides rows from counts, so the counts come from planner statistics. */
async function readDatabase(connectionString: string): Promise<Pick<Stored, 'rows' | 'postgres'>> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query('analyze')
    const { rows } = await client.query<{ rows: number; postgres: string }>(
      `select sum(greatest(reltuples, 0)) as rows, pg_database_size(current_database()) as postgres
         from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    return { rows: Number(rows[0]?.rows), postgres: Number(rows[0]?.postgres) }
  } finally {
    await client.end()
  }
}

async function readRedis(url: string): Promise<number> {
  const redis = new Redis(url)
  try {
    return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1])
  } finally {
    redis.disconnect()
  }
}

/** Returns the size of this stack's indices once their segments are written. */
async function readElasticsearch(env: Record<string, string>): Promise<number> {
  const url = `${env['ELASTICSEARCH_URL']}/${env['SEARCH_INDEX']}*`
  await fetch(`${url}/_flush`, { method: 'POST' })
  const response = await fetch(`${url}/_stats/store`)
  const { _all } = (await response.json()) as { _all: { primaries: { store: { size_in_bytes: number } } } }
  return _all.primaries.store.size_in_bytes
}

/** The development server stores everything in one file, with a separate log. The production server uses Postgres. */
async function readTemporal(connectionString: string): Promise<number> {
  const file = join(openStateDir(STATE_DIR).data, 'temporal', 'temporal.db')
  if (existsSync(file)) {
    return [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)
  }
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select sum(pg_database_size(oid)) as bytes from pg_database where datname like 'temporal\\_%'`,
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}
