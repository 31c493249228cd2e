import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientBase } from 'pg'
import { DataSource } from 'typeorm'
import type { Config } from '../../config/config.ts'
import { isConnectionError, isUnavailable, toCallerError } from './database-errors.ts'
import { columnTypes } from './column-types.ts'
import { PreparedClient } from './prepared-client.ts'
import { checkFields, type Columns } from './table.ts'
import { tables } from '../tables.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { createSlots } from '../../domain/shared/fairness/slots.ts'

/** A transaction. All functions of the stores take it as their first argument, and send statements by `statements.ts`. */
export interface Tx {
  /**
   * Sends a statement at once and returns its result. Throws Error when `columns` are given and the result has others: that is
   * checked once for each object of columns. Texts of statements are finite in number, because each stays prepared.
   */
  run(statement: string, parameters: unknown[], columns?: Columns): Promise<StatementResult>
}

export interface StatementResult {
  rows: unknown[]
  /** The number of rows that were written or returned. */
  rowCount: number | null
}

export interface Database {
  /**
   * Runs `work` in one transaction that reads and writes only rows of this workspace (row-level security); statements
   * sent without waiting are pipelined and run in the order of sending. Throws Unavailable when Postgres is
   * unreachable; the caller may then repeat the call if `work` may be repeated.
   */
  inWorkspace<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for work that sends all its statements without waiting for any, and is to be committed whatever their results
   * are. The commit is sent with them, so the transaction takes one turn to Postgres and back in place of two. A statement that
   * is sent later fails.
   */
  inWorkspaceAtOnce<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls `work` for a request. The audit log names its id in the entries of all transactions that begin in `work`, also
   * after awaits.
   */
  inRequest<T>(requestId: string, work: () => T): T
  /** The id of the request that the caller works for. */
  requestId(): string | undefined
  /** Runs `work` in a transaction without a workspace. Tables with a workspace appear empty. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws Unavailable when Postgres does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL'>

/** Limit for getting a connection from Postgres, and for waiting until other transactions leave one. */
const MAX_CONNECT_MS = 3_000
/** All statements are short: a statement above this limit waits for a lock or a slow disk. */
const MAX_STATEMENT_MS = 5_000
/** Limit of silence from Postgres. It exceeds the statement limit, so that Postgres reports a timeout first. */
const MAX_QUERY_MS = 6_000
const MAX_IDLE_IN_TRANSACTION_MS = 15_000
const MAX_IDLE_CONNECTION_MS = 300_000

/** Stands for a workspace in transactions without one. */
const SYSTEM = ''

/**
 * Connects at the first use. A failed attempt is not kept, so the process may start before Postgres and reconnects when
 * Postgres is available.
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

  const requests = new AsyncLocalStorage<string>()
  const connections = createSlots(settings.DATABASE_POOL, MAX_CONNECT_MS)

  const transaction = async <T>(work: (tx: Tx) => Promise<T>, run = inTransaction): Promise<T> => {
    const runner = (await source()).createQueryRunner()
    try {
      const client = await runner.connect().catch((error: unknown) => {
        throw new Unavailable(undefined, { cause: error })
      })
      return await run(client, work)
    } catch (error) {
      // Only a lost connection releases the runner before `finally`.
      if (runner.isReleased || isUnavailable(error)) throw new Unavailable(undefined, { cause: error })
      throw toCallerError(error)
    } finally {
      await runner.release()
    }
  }

  const system: Database['system'] = work => connections.use(SYSTEM, () => transaction(work))

  const workspaceTransaction = <T>(
    workspaceId: string,
    work: (tx: Tx) => Promise<T>,
    run: RunTransaction,
  ): Promise<T> =>
    connections.use(workspaceId, () =>
      transaction(async tx => {
        // The settings are not awaited: they are sent with the first statement of the work and run before it.
        const [, result] = await Promise.all([
          tx.run(`select set_config('app.workspace_id', $1, true), set_config('app.request_id', $2, true)`, [
            workspaceId,
            requests.getStore() ?? '',
          ]),
          work(tx),
        ])
        return result
      }, run),
    )

  return {
    inWorkspace: (workspaceId, work) => workspaceTransaction(workspaceId, work, inTransaction),
    inWorkspaceAtOnce: (workspaceId, work) => workspaceTransaction(workspaceId, work, inTransactionAtOnce),
    inRequest: (requestId, work) => requests.run(requestId, work),
    requestId: () => requests.getStore(),
    system,
    ping: async () => {
      await system(tx => tx.run('select 1', []))
    },
    close: async () => {
      const open = await ready?.catch(() => undefined)
      ready = undefined
      if (open?.isInitialized) await open.destroy()
    },
  }
}

type RunTransaction = <T>(client: ClientBase, work: (tx: Tx) => Promise<T>) => Promise<T>

/** The returned promise need not be awaited: `begin` is sent with the first statement of the work and runs before it. */
function begin(client: ClientBase): Promise<unknown> {
  const begun = client.query('begin')
  begun.catch(() => undefined)
  return begun
}

const inTransaction: RunTransaction = async (client, work) => {
  const begun = begin(client)
  try {
    const result = await work({ run: (...statement) => runStatement(client, ...statement) })
    await begun
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Ends the transaction before the statements are written to the socket (`PreparedClient` does that in a later tick): by then, work that
 * could not send all of them has failed. Where a statement fails in Postgres, the commit is a rollback.
 */
const inTransactionAtOnce: RunTransaction = async (client, work) => {
  const begun = begin(client)
  let hasFailed = false
  let isSent = false
  const completion = new Promise<unknown>((resolve, reject) => {
    process.nextTick(() => client.query(hasFailed ? 'rollback' : 'commit').then(resolve, reject))
  })
  const tx: Tx = {
    run: (...statement) =>
      isSent ? Promise.reject(new Error('A statement was sent after the commit')) : runStatement(client, ...statement),
  }
  const result = work(tx).catch((error: unknown) => {
    hasFailed = true
    throw error
  })
  isSent = true
  // The connection is released once it has answered everything.
  await Promise.allSettled([result, completion])
  const [value] = await Promise.all([result, begun, completion])
  return value
}

/** The columns that the result of a statement was found to have. */
const checked = new Map<string, Columns>()

async function runStatement(
  client: ClientBase,
  statement: string,
  parameters: unknown[],
  columns?: Columns,
): Promise<StatementResult> {
  const result = await client.query(statement, parameters).catch((error: unknown) => {
    throw isConnectionError(error) ? new Unavailable(undefined, { cause: error }) : error
  })
  if (columns && checked.get(statement) !== columns) {
    checkFields(result.fields, columns, statement)
    checked.set(statement, columns)
  }
  return result
}

function connect({ DATABASE_URL, DATABASE_POOL }: DatabaseSettings): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    url: DATABASE_URL,
    entities: tables.map(({ entity }) => entity),
    synchronize: false,
    installExtensions: false,
    logging: false,
    poolSize: DATABASE_POOL,
    connectTimeoutMS: MAX_CONNECT_MS,
    applicationName: 'ganglion',
    // The pool replaces an idle connection that was lost. A request during that time gets Unavailable.
    poolErrorHandler: () => undefined,
    extra: {
      Client: PreparedClient,
      pipeline: true,
      types: columnTypes,
      keepAlive: true,
      // Compiling a statement takes longer than all of ours run. A page that is read by an index is as cheap as the next one:
      // it is in memory, or on a disk without moving parts.
      options: '-c jit=off -c random_page_cost=1.1',
      statement_timeout: MAX_STATEMENT_MS,
      query_timeout: MAX_QUERY_MS,
      idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
      idleTimeoutMillis: MAX_IDLE_CONNECTION_MS,
    },
  }).initialize()
}
