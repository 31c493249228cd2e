/** One change of the database. Its file is named after the id and the name. */
export interface Migration {
  /** The time of writing, in milliseconds since 1970. Migrations run in this order. */
  id: number
  name: string
  /** The oldest version whose API and workers run on the database after this migration. */
  oldestVersion: string
  change: Change
}

/** Each kind is safe to run again if it was interrupted. */
export type Change = SchemaChange | IndexChange | RowChange

/** Statements that run in one transaction. Each has a time limit, because other queries can be waiting for its locks. */
export interface SchemaChange {
  kind: 'schema'
  up: string
  /** Null if the change can't be reverted. */
  down: string | null
  /** The data that a revert deletes. */
  loses?: string
}

/** An index that is built or dropped while its table is in use, without a time limit. */
export interface IndexChange {
  kind: 'index'
  index: string
  isUnique?: boolean
  /** Whether the index is dropped. A revert builds it again. */
  isDropped?: boolean
  /** The rest of the statement: `on <table> (<columns>)`. */
  definition: string
}

/**
 * A statement that changes at most some thousand rows of one workspace. It runs in its own transaction, in each
 * workspace, until it changes no more rows. A revert leaves the rows unchanged.
 */
export interface RowChange {
  kind: 'rows'
  update: string
}

/** Returns the name that the database records. */
export const recordedName = ({ id, name }: Migration): string => `${name}${id}`

/** Returns the SQL of a migration, or an empty text if nothing runs. */
export function renderSql({ change }: Migration, direction: 'up' | 'down'): string {
  if (change.kind === 'rows') return direction === 'up' ? change.update : ''
  if (change.kind === 'schema') return (direction === 'up' ? change.up : change.down) ?? ''
  const { index, definition, isUnique, isDropped = false } = change
  if ((direction === 'down') !== isDropped) return `drop index concurrently if exists ${index}`
  return `create ${isUnique ? 'unique ' : ''}index concurrently if not exists ${index} ${definition}`
}

/** A request that a retry can't fulfill. */
export class MigrationRefusal extends Error {}
