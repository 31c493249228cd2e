import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/resources/pinned-resources-store.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { missingReflex, prefixName } from '../../domain/tools/names.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import { parseReference } from '../pathways/references.ts'
import { listToolsOfEach } from './listed.ts'

/** All tools of a reflex (slug or id, with an optional `@version`), or only the named tools. */
export interface ToolReference {
  reflex: string
  names?: string[]
}

export interface ResolvedTools {
  /** Names are unique. If tools from several reflexes share a name, the names are prefixed with the reflex slug. */
  tools: ToolSpec[]
  /** Unresolved references. Pointers are relative to the list of references. */
  problems: Problem[]
}

/** A reflex with its tools. */
type ReflexTools = Omit<PinnedResource, 'document'> & { tools: ToolSpec[] }

/** Reflexes with their tools, keyed by reference text. If a reference has no version, the current version is used. */
export type KnownReflexes = Map<string, ReflexTools>

/** Finds the referenced reflexes. Omits reflexes that do not exist or are not visible. */
export async function findReflexes(tx: Tx, principal: BrainAccess, refs: string[]): Promise<KnownReflexes> {
  const references = [...new Set(refs)].map(parseReference)
  const reflexes =
    references.length > 0 ? await findPinnedResources(tx, 'reflexes', references, visibleBrains(principal)) : []
  const lists = await listToolsOfEach(tx, principal, reflexes)
  return new Map(
    reflexes.map(({ document: _document, ...reflex }, i) => [reflex.ref, { ...reflex, tools: lists[i] ?? [] }]),
  )
}

/** Resolves references, in order, using the reflexes that were found for them. */
export function resolveTools(reflexes: KnownReflexes, refs: ToolReference[]): ResolvedTools {
  const problems: Problem[] = []
  const specs = refs.flatMap(({ reflex, names }, i) => {
    const reflexTools = reflexes.get(reflex)
    if (!reflexTools?.is_active) {
      const message = reflexTools ? `the reflex "${reflexTools.slug}" is inactive` : missingReflex(reflex)
      problems.push({ pointer: `/${i}/reflex`, message })
      return []
    }
    if (!names) return reflexTools.tools
    return names.flatMap((name, j) => {
      const tool = reflexTools.tools.find(each => each.name === name)
      if (!tool) problems.push({ pointer: `/${i}/names/${j}`, message: `"${reflexTools.slug}" has no tool "${name}"` })
      return tool ?? []
    })
  })
  return { tools: assignNames(uniqueTools(specs), problems), problems }
}

const uniqueTools = (tools: ToolSpec[]): ToolSpec[] => [
  ...new Map(tools.map(tool => [`${tool.reflex.id}@${tool.reflex.version} ${tool.name}`, tool])).values(),
]

function assignNames(tools: ToolSpec[], problems: Problem[]): ToolSpec[] {
  const counts = Map.groupBy(tools, ({ name }) => name)
  const usedNames = new Set<string>()
  return tools.flatMap(tool => {
    const isShared = (counts.get(tool.name)?.length ?? 0) > 1
    const name = isShared ? prefixName(tool.reflex.slug, tool.name) : tool.name
    if (usedNames.has(name)) {
      problems.push({ pointer: '', message: `two tools would have the name "${name}"` })
      return []
    }
    usedNames.add(name)
    return [{ ...tool, name }]
  })
}
