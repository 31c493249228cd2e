import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/resources/pinned-resources-store.ts'
import type { JsonSchema } from '../../domain/shared/json/json.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import { type ListedTarget, listToolSpecs } from '../../domain/tools/listing.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import { parseReference } from '../pathways/references.ts'

/** Lists each reflex's tools, in the order of the reflexes. Finding the targets takes one query for pathways and one for neurons. */
export async function listToolsOfEach(
  tx: Tx,
  principal: BrainAccess,
  reflexes: PinnedResource[],
): Promise<ToolSpec[][]> {
  const [pathways, neurons] = await Promise.all([
    findTargets(tx, principal, 'pathway', reflexes),
    findTargets(tx, principal, 'neuron', reflexes),
  ])
  return reflexes.map(({ id, slug, version, title, document }) => {
    const reflex = document as ReflexDocument
    const targets = reflex.source === 'pathway' ? pathways : neurons
    return listToolSpecs({ id, slug, version, title, document: reflex }, targets.get(reflex.target ?? ''))
  })
}

/** Finds targets, keyed by reference text. */
async function findTargets(
  tx: Tx,
  principal: BrainAccess,
  source: 'pathway' | 'neuron',
  reflexes: PinnedResource[],
): Promise<Map<string, ListedTarget>> {
  const refs = reflexes.flatMap(({ document }) => {
    const { source: ownSource, target } = document as ReflexDocument
    return ownSource === source && target !== undefined ? [target] : []
  })
  if (refs.length === 0) return new Map()
  const targets = await findPinnedResources(
    tx,
    `${source}s`,
    [...new Set(refs)].map(parseReference),
    visibleBrains(principal),
  )
  return new Map(targets.filter(({ is_active }) => is_active).map(pinned => [pinned.ref, presentListedTarget(pinned)]))
}

function presentListedTarget({ id, version, title, document }: PinnedResource): ListedTarget {
  const { description, definition } = document as { description: string | null; definition?: { input?: JsonSchema } }
  return { id, version, title, description, input: definition?.input }
}
