import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { Client } from 'pg'
import { inSpan, type SpanDetails } from '../../observability/spans.ts'

/**
 * A connection that prepares each parameterized statement once, because parsing and planning cost more than
 * execution. Three rules follow. Statements name their columns, because a prepared `select *` fails after a migration
 * adds a column. The number of different statements is finite. A connection pooler must support prepared statements.
 * Statements from one event loop turn are written to the socket together, so a new transaction sends its first
 * statements at once.
 */
export class PreparedClient extends Client {
  #isHeld = false

  override query(...args: never[]): never {
    this.#holdWrites()
    const [text, values, ...rest] = args as unknown[]
    const bare = typeof text !== 'string' || !Array.isArray(values) || values.length === 0
    const statement = bare ? args : [{ name: nameStatement(text), text, values }, ...rest]
    return inSpan(
      () => describeStatement(text),
      () => reportLast(super.query(...(statement as [never]))),
    ) as never
  }

  #holdWrites(): void {
    const { stream } = this.connection
    if (this.#isHeld) return
    this.#isHeld = true
    stream.cork()
    process.nextTick(() => {
      this.#isHeld = false
      stream.uncork()
    })
  }
}

const names = new Map<string, string>()

function nameStatement(text: string): string {
  const name = names.get(text) ?? hash('sha1', text)
  names.set(text, name)
  return name
}

/** The statement text contains no user data, because values are sent as parameters. */
function describeStatement(text: unknown): SpanDetails {
  const statement = typeof text === 'string' ? text.trim() : ''
  const operation = nameOperation(statement)
  return {
    name: `postgres ${operation}`,
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': statement },
  }
}

const CHANGE = /\b(?:(insert)\s+into|(update)\s+\w+\s+set|(delete)\s+from)\b/i

/**
 * Returns the verb of a statement. For a statement that starts with `with`, returns the verb of the first change, if
 * there is one.
 */
function nameOperation(statement: string): string {
  const verb = /^\w+/.exec(statement)?.[0].toLowerCase() ?? 'query'
  return verb === 'with' ? (CHANGE.exec(statement)?.slice(1).find(Boolean)?.toLowerCase() ?? 'select') : verb
}

/** The SQLSTATE of statements that follow a failed statement in a transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * Delays the errors of statements that follow the failed one, so that the error of the failed statement reaches the
 * caller first. The errors of pipelined statements arrive at the same time, and the caller's `Promise.all` reports
 * the error with the shortest promise chain.
 */
async function reportLast<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    if ((error as { code?: string }).code === IN_FAILED_TRANSACTION) await nextTurn()
    throw error
  }
}
