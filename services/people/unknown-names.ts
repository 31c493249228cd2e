import type { Tx } from '../../data/shared/database.ts'
import { findUnknownNames } from '../../data/people/eligible-people-store.ts'
import type { Problem } from '../../domain/shared/json/json.ts'

/** Lists the names that no one in the workspace has, each with the pointer of its place in the list. */
export async function listUnknownNames(
  tx: Tx,
  names: string[],
  toPointer: (index: number) => string,
): Promise<Problem[]> {
  const unknown = await findUnknownNames(tx, names)
  return unknown.map(name => ({
    pointer: toPointer(names.indexOf(name)),
    message: `no person or group of the workspace has the name ${name}`,
  }))
}
