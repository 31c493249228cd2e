import { DataSource, type EntityManager, type QueryRunner } from 'typeorm'
import type { Config } from '../config/config.ts'
import { isUnavailable, removeParameters, toCallerError } from './database-errors.ts'
import { entities } from './entities/all.ts'
import { columnTypes } from './column-types.ts'
import { PreparedClient } from './prepared-client.ts'
import { Unavailable } from '../domain/errors.ts'

/** What every store takes first: a transaction that already knows its workspace. */
export type Tx = EntityManager

export interface Database {
  /**
   * Runs `work` in one transaction that sees and writes only rows of this workspace (row-level security).
   * Statements may be sent without waiting for each other: they are pipelined and run in the order they were sent.
   * Throws Unavailable when Postgres is away; then sending the same again is safe if the work itself may be repeated.
   */
  inWorkspace<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction without a workspace: every table that has one looks empty. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws Unavailable when Postgres does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL'>

/** Waiting for a connection, from the pool or from Postgres. */
const MAX_CONNECT_MS = 3_000
/** No statement of ours is long: one that takes this long waits for a lock or a sick disk. */
const MAX_STATEMENT_MS = 5_000
/** How long the other side may stay silent: above the statement's own limit, so Postgres speaks first. */
const MAX_QUERY_MS = 6_000
const MAX_IDLE_IN_TRANSACTION_MS = 15_000
const MAX_IDLE_CONNECTION_MS = 300_000

/**
 * Opens nothing by itself: the first use connects, and a failed attempt is forgotten, so that a process may start
 * while Postgres is away and is well again as soon as Postgres is.
 */
export function openDatabase(settings: DatabaseSettings): Database {
  let ready: Promise<DataSource> | undefined

  const source = () => {
    ready ??= connect(settings).catch((error: unknown) => {
      ready = undefined
      throw new Unavailable(undefined, { cause: error })
    })
    return ready
  }

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const runner = (await source()).createQueryRunner()
    try {
      await runner.connect().catch((error: unknown) => {
        throw new Unavailable(undefined, { cause: error })
      })
      return await inTransaction(runner, work)
    } catch (error) {
      removeParameters(error)
      // Only a lost connection releases the runner before we do.
      if (runner.isReleased || isUnavailable(error)) throw new Unavailable(undefined, { cause: error })
      throw toCallerError(error)
    } finally {
      await runner.release()
    }
  }

  return {
    inWorkspace: (workspaceId, work) =>
      transaction(async tx => {
        // Sent first and not awaited: it travels with the first statement of the work, and runs before it.
        const [, result] = await Promise.all([
          tx.query(`select set_config('app.workspace_id', $1, true)`, [workspaceId]),
          work(tx),
        ])
        return result
      }),
    system: transaction,
    ping: async () => {
      await transaction(tx => tx.query('select 1'))
    },
    close: async () => {
      const open = await ready?.catch(() => undefined)
      ready = undefined
      if (open?.isInitialized) await open.destroy()
    },
  }
}

/** The `begin` is not awaited: it travels with the first statement of the work, and runs before it. */
async function inTransaction<T>(runner: QueryRunner, work: (tx: Tx) => Promise<T>): Promise<T> {
  // The library looks at this before it opens a transaction of its own.
  ;(runner as { isTransactionActive: boolean }).isTransactionActive = true
  const begun = runner.query('begin')
  begun.catch(() => undefined)
  try {
    const result = await work(runner.manager)
    await begun
    await runner.query('commit')
    return result
  } catch (error) {
    await runner.query('rollback').catch(() => undefined)
    throw error
  }
}

function connect({ DATABASE_URL, DATABASE_POOL }: DatabaseSettings): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    url: DATABASE_URL,
    entities,
    synchronize: false,
    installExtensions: false,
    logging: false,
    poolSize: DATABASE_POOL,
    connectTimeoutMS: MAX_CONNECT_MS,
    applicationName: 'ganglion',
    // An idle connection that dies is replaced by the pool; whoever needs one meanwhile gets Unavailable.
    poolErrorHandler: () => undefined,
    extra: {
      Client: PreparedClient,
      pipeline: true,
      types: columnTypes,
      keepAlive: true,
      statement_timeout: MAX_STATEMENT_MS,
      query_timeout: MAX_QUERY_MS,
      idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
      idleTimeoutMillis: MAX_IDLE_CONNECTION_MS,
    },
  }).initialize()
}
