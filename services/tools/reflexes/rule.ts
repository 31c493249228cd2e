import type { ReflexDocument } from '../../../domain/resources/kinds/reflexes.ts'
import { targetProblems } from '../../pathways/references.ts'
import type { KindRule } from '../../resources/saving.ts'

/** Checks that the target of a reflex exists. The document is not validated. */
export const reflexRule: KindRule = (tx, principal, document) => {
  const { source, target } = document as Partial<ReflexDocument>
  return targetProblems(tx, principal, { type: source, ref: target }, '/target')
}
