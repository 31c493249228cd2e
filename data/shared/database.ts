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

/**
 * A transaction. Every store function takes one as its first argument, and runs its statements through
 * `statements.ts`.
 */
export interface Tx {
  /**
   * Sends a statement immediately and returns the result. Throws Error if the result columns differ from `columns`.
   * They are compared once per columns object. The number of different statement texts must be finite, because each
   * remains prepared.
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
   * Runs `work` in one transaction that can read and write only rows in this workspace (row-level security).
   * Statements that are sent without waiting are pipelined, and run in the order in which they were sent. Throws
   * Unavailable when Postgres is unreachable. The caller may then repeat the call if `work` is repeatable.
   */
  inWorkspace<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Like `inWorkspace`, for work that sends all its statements without waiting and commits whatever the results are.
   * The commit is sent together with the statements, so the transaction takes one round trip to Postgres instead of
   * two. A statement that is sent later fails.
   */
  inWorkspaceAtOnce<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls `work` on behalf of a request. Every transaction that starts within `work`, even after an await, writes the
   * request id to the audit log.
   */
  inRequest<T>(requestId: string, work: () => T): T
  /** The id of the current request. */
  requestId(): string | undefined
  /** Runs `work` in a transaction that belongs to no workspace. Tables with workspace data appear empty. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws Unavailable when Postgres does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL'>

/** Time limit for getting a connection, including the wait for other transactions to release one. */
const MAX_CONNECT_MS = 3_000
/**
 * All statements are expected to be short. A statement that exceeds this limit is waiting for a lock or a slow disk.
 */
const MAX_STATEMENT_MS = 5_000
/**
 * How long to wait for a response from Postgres. Exceeds the statement limit, so that Postgres reports a timeout
 * first.
 */
const MAX_QUERY_MS = 6_000
const MAX_IDLE_IN_TRANSACTION_MS = 15_000
const MAX_IDLE_CONNECTION_MS = 300_000

/** Used instead of a workspace id in transactions that belong to no workspace. */
const SYSTEM = ''

/**
 * Opens the database. Connects on first use. A failed attempt is not cached, so the process can start before Postgres
 * and reconnects when Postgres is available again.
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
        // The settings need no await, because they are sent and run before the first statement from `work`.
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

/**
 * Callers need not await the returned promise, because `begin` is sent and runs before the first statement from
 * `work`.
 */
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
 * Ends the transaction before the statements are written to the socket, which `PreparedClient` does in a later tick.
 * If the work cannot send all its statements, it has failed by then. If a statement fails in Postgres, the commit
 * becomes a rollback.
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
  // The connection is released only after all statements have been answered.
  await Promise.allSettled([result, completion])
  const [value] = await Promise.all([result, begun, completion])
  return value
}

/** The columns that each statement's result has already been compared with. */
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
    // The pool replaces an idle connection that was lost. A request in the meantime fails with Unavailable.
    poolErrorHandler: () => undefined,
    extra: {
      Client: PreparedClient,
      pipeline: true,
      types: columnTypes,
      keepAlive: true,
      // JIT compilation takes longer than running any of these statements. A random page read costs about as much as
      // a sequential one, because the data is in memory or on an SSD.
      options: '-c jit=off -c random_page_cost=1.1',
      statement_timeout: MAX_STATEMENT_MS,
      query_timeout: MAX_QUERY_MS,
      idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
      idleTimeoutMillis: MAX_IDLE_CONNECTION_MS,
    },
  }).initialize()
}
