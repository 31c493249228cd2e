import { hash } from 'node:crypto'
import { Client } from 'pg'

/**
 * A connection on which every statement with parameters is prepared once and then only run: parsing and planning cost
 * more than our statements themselves. So statements name their columns (a prepared `select *` fails after a migration
 * adds one), their texts are finitely many, and a pooler in between has to carry prepared statements.
 */
export class PreparedClient extends Client {
  override query(...args: never[]): never {
    const [text, values, ...rest] = args as unknown[]
    const bare = typeof text !== 'string' || !Array.isArray(values) || values.length === 0
    const sent = bare ? args : [{ name: hash('sha1', text), text, values }, ...rest]
    return super.query(...(sent as [never]))
  }
}
