import type { Tx } from '../../data/shared/database.ts'
import { findUnknownNames } from '../../data/people/eligible-people-store.ts'
import type { Problem } from '../../domain/shared/json/json.ts'

/** Lists names that do not exist in the workspace, each with a pointer to its position in the list. */
export async function listUnknownNames(
  tx: Tx,
  names: string[],
  toPointer: (index: number) => string,
): Promise<Problem[]> {
  const unknown = await findUnknownNames(tx, names)
  return unknown.map(name => ({
    pointer: toPointer(names.indexOf(name)),
    message: `no person or group in the workspace has the name ${name}`,
  }))
}
