import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { Client } from 'pg'
import { inSpan, type SpanDetails } from '../../observability/spans.ts'

/**
 * A connection that prepares each statement with parameters once, because parsing and planning cost more than the
 * execution. Statements therefore name their columns (a prepared `select *` fails after a migration adds one), their
 * number is finite, and a connection pooler must support prepared statements. Statements of one turn of the event loop are
 * written to the socket at once: a transaction that begins sends its first statements together.
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

/** The text of a statement holds no values: they are parameters. */
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

/** Returns the verb of a statement; of one that begins with `with`, that of its first change, if it has one. */
function nameOperation(statement: string): string {
  const verb = /^\w+/.exec(statement)?.[0].toLowerCase() ?? 'query'
  return verb === 'with' ? (CHANGE.exec(statement)?.slice(1).find(Boolean)?.toLowerCase() ?? 'select') : verb
}

/** The SQLSTATE of statements after the one that failed. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * Lets the statement that failed reach the caller first. The errors of pipelined statements come at the same time, and
 * the caller's `Promise.all` reports the one with the shortest chain of promises.
 */
async function reportLast<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    if ((error as { code?: string }).code === IN_FAILED_TRANSACTION) await nextTurn()
    throw error
  }
}
