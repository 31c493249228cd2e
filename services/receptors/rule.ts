import { findPinnedResources } from '../../data/pinned-resources-store.ts'
import { isJsonObject } from '../../domain/json.ts'
import { visibleBrains } from '../access/brains.ts'
import { parseReference } from '../pathways/references.ts'
import type { KindRule } from '../resources/types.ts'

/** Checks that the target of a receptor exists. The document is not validated. */
export const receptorRule: KindRule = async (tx, principal, document) => {
  const { target } = document as { target?: unknown }
  if (!isJsonObject(target)) return []
  const { type, ref } = target
  if ((type !== 'pathway' && type !== 'neuron') || typeof ref !== 'string') return []
  const [found] = await findPinnedResources(tx, `${type}s`, [parseReference(ref)], visibleBrains(principal))
  return found ? [] : [{ pointer: '/target/ref', message: `there is no ${type} "${ref}"` }]
}
