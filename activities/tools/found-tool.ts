import type { Database } from '../../data/database.ts'
import { findPinnedResources } from '../../data/pinned-resources-store.ts'
import type { ReflexDocument, ReflexTool } from '../../domain/resources/kinds/reflexes.ts'
import { toPrefixedName } from '../../domain/tools/names.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import { toBrainAccess, visibleBrains } from '../../services/access/brains.ts'
import { listToolsOfEach } from '../../services/tools/listed.ts'
import { toolUnknown } from './errors.ts'
import type { ToolRequest } from './types.ts'

export interface FoundTool {
  reflex: ReflexDocument
  spec: ToolSpec
  /** As stored in the reflex; built-in tools need not be stored. */
  tool?: ReflexTool
}

/** Finds a tool in a version of its reflex. Throws TOOL_UNKNOWN, also when the reflex is switched off. */
export async function findTool(db: Database, { job, tool: wanted }: ToolRequest): Promise<FoundTool> {
  const { reflex_id, version, name } = wanted
  return db.inWorkspace(job.workspace_id, async tx => {
    const principal = toBrainAccess(job)
    const [found] = await findPinnedResources(
      tx,
      'reflexes',
      [{ ref: reflex_id, name: reflex_id, version }],
      visibleBrains(principal),
    )
    if (!found) throw toolUnknown(`There is no reflex ${reflex_id} at version ${version}`)
    if (!found.is_active) throw toolUnknown(`The reflex "${found.slug}" is switched off`)
    const [specs = []] = await listToolsOfEach(tx, principal, [found])
    const spec =
      specs.find(each => each.name === name) ?? specs.find(each => toPrefixedName(found.slug, each.name) === name)
    if (!spec) throw toolUnknown(`"${found.slug}" has no tool "${name}"`)
    const reflex = found.document as ReflexDocument
    return { reflex, spec, tool: reflex.tools.find(each => each.name === spec.name) }
  })
}
