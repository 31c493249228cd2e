import type { Tx } from '../../data/shared/database.ts'

/** Does something in a transaction, and returns also how many rows of a table were read for it. */
export async function countingRowsRead<T>(
  tx: Tx,
  table: string,
  work: () => Promise<T>,
): Promise<{ result: T; rowsRead: number }> {
  const count = async () => {
    const [{ rows } = { rows: 0 }] = await tx.query<{ rows: number }[]>(
      `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = $1`,
      [table],
    )
    return rows
  }
  const before = await count()
  const result = await work()
  return { result, rowsRead: (await count()) - before }
}
