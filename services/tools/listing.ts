import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources } from '../../data/resources/pinned-resources-store.ts'
import { listReflexOutlines, type ReflexOutline, findReflexesWithTool } from '../../data/tools/reflexes-store.ts'
import { BUILTIN_TOOLS, isBuiltin } from '../../domain/tools/builtin.ts'
import { prefixName } from '../../domain/tools/names.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { visibleBrains } from '../access/brains.ts'
import { parseReference } from '../pathways/references.ts'
import { listToolsOfEach } from './listed.ts'

/** Lists one page of all tools, sorted by reflex. Reads only the documents of reflexes on the page. */
export async function listTools(
  tx: Tx,
  principal: BrainAccess,
  { limit, offset }: PageQuery,
): Promise<{ data: ToolSpec[]; total: number }> {
  const counted = (await listReflexOutlines(tx, visibleBrains(principal))).map(outline => ({
    id: outline.id,
    count: countTools(outline),
  }))
  const ids: string[] = []
  let total = 0
  let skipped = 0
  for (const { id, count } of counted) {
    if (total + count <= offset) skipped += count
    else if (total < offset + limit) ids.push(id)
    total += count
  }
  const tools = await findToolsOfReflexes(tx, principal, ids)
  return { data: tools.slice(offset - skipped, offset - skipped + limit), total }
}

function countTools({ source, count, names }: ReflexOutline): number {
  if (source === 'pathway' || source === 'neuron') return 1
  if (source !== 'builtin') return count
  return names?.length ? names.filter(isBuiltin).length : Object.keys(BUILTIN_TOOLS).length
}

/** Finds the tools with a given name, or with the prefixed name that catalogs use for shared names. */
export async function findToolsByName(
  tx: Tx,
  principal: BrainAccess,
  name: string,
  reflex?: string,
): Promise<ToolSpec[]> {
  const tools =
    reflex === undefined
      ? await findToolsOfReflexes(tx, principal, await findReflexesWithTool(tx, name, visibleBrains(principal)))
      : (await listToolsOfEach(tx, principal, await findActiveReflexes(tx, principal, [reflex]))).flat()
  return tools.filter(
    tool => tool.name === name || (reflex !== undefined && prefixName(tool.reflex.slug, tool.name) === name),
  )
}

async function findToolsOfReflexes(tx: Tx, principal: BrainAccess, ids: string[]): Promise<ToolSpec[]> {
  const reflexById = new Map((await findActiveReflexes(tx, principal, ids)).map(reflex => [reflex.id, reflex]))
  const inOrder = ids.flatMap(id => reflexById.get(id) ?? [])
  return (await listToolsOfEach(tx, principal, inOrder)).flat()
}

async function findActiveReflexes(tx: Tx, principal: BrainAccess, refs: string[]) {
  const reflexes =
    refs.length > 0 ? await findPinnedResources(tx, 'reflexes', refs.map(parseReference), visibleBrains(principal)) : []
  return reflexes.filter(({ is_active }) => is_active)
}
