import type { Tx } from './database.ts'
import { execute } from './statements.ts'

/** Sets the point to which the transaction can return. A later one hides it. */
export async function setSavepoint(tx: Tx): Promise<void> {
  await execute(tx, 'savepoint latest')
}

/** Undoes what the transaction has done since its savepoint, also after a statement that failed. */
export async function rollBackToSavepoint(tx: Tx): Promise<void> {
  await execute(tx, 'rollback to savepoint latest')
}
