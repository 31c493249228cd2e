import { isJsonObject } from '../../domain/shared/json/json.ts'
import { targetProblems } from '../pathways/references.ts'
import type { KindRule } from '../resources/saving.ts'

/** Checks that a receptor's target exists. Does not validate the document. */
export const receptorRule: KindRule = async (tx, principal, document) => {
  const { target } = document as { target?: unknown }
  return isJsonObject(target) ? targetProblems(tx, principal, target, '/target/ref') : []
}
