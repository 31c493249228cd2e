import type { ReflexDocument } from '../../../domain/resources/kinds/reflexes.ts'
import { targetProblems } from '../../pathways/references.ts'
import type { KindRule } from '../../resources/saving.ts'

/** Checks that a reflex's target exists. Does not validate the document. */
export const reflexRule: KindRule = (tx, principal, document) => {
  const { source, target } = document as Partial<ReflexDocument>
  return targetProblems(tx, principal, { type: source, ref: target }, '/target')
}
