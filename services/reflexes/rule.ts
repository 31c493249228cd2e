import { findPinnedResources } from '../../data/pinned-resources-store.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import { visibleBrains } from '../access/brains.ts'
import { parseReference } from '../pathways/references.ts'
import type { KindRule } from '../resources/types.ts'

/** Checks that the target of a reflex exists. The document is not validated. */
export const reflexRule: KindRule = async (tx, principal, document) => {
  const { source, target } = document as Partial<ReflexDocument>
  if ((source !== 'pathway' && source !== 'neuron') || typeof target !== 'string') return []
  const [found] = await findPinnedResources(tx, `${source}s`, [parseReference(target)], visibleBrains(principal))
  return found ? [] : [{ pointer: '/target', message: `there is no ${source} "${target}"` }]
}
