import { hash } from 'node:crypto'
import { Client } from 'pg'

/**
 * A connection that prepares each statement with parameters once, because parsing and planning cost more than the
 * execution. Statements therefore name their columns (a prepared `select *` fails after a migration adds one), their
 * number is finite, and a connection pooler must support prepared statements.
 */
export class PreparedClient extends Client {
  override query(...args: never[]): never {
    const [text, values, ...rest] = args as unknown[]
    const bare = typeof text !== 'string' || !Array.isArray(values) || values.length === 0
    const sent = bare ? args : [{ name: hash('sha1', text), text, values }, ...rest]
    return super.query(...(sent as [never]))
  }
}
