import type { Tx } from '../../../data/shared/database.ts'
import { selectOne } from '../../../data/shared/statements.ts'
import { integer } from '../../../data/shared/table.ts'

/** Runs `work` in the transaction. Also returns how many rows of a table it read. */
export async function countingRowsRead<T>(
  tx: Tx,
  table: string,
  work: () => Promise<T>,
): Promise<{ result: T; rowsRead: number }> {
  const count = async () => {
    const read = await selectOne(
      tx,
      { rows: integer() },
      `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = $1`,
      [table],
    )
    return read?.rows ?? 0
  }
  const before = await count()
  const result = await work()
  return { result, rowsRead: (await count()) - before }
}
