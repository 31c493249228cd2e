import type { Database } from '../../data/shared/database.ts'
import { findPinnedResources } from '../../data/resources/pinned-resources-store.ts'
import type { ReflexDocument, ReflexTool } from '../../domain/resources/kinds/reflexes.ts'
import { listToolSpecs } from '../../domain/tools/listing.ts'
import { prefixName } from '../../domain/tools/names.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import { getBrainAccess, visibleBrains } from '../../services/access/brains.ts'
import { unknownToolError } from './errors.ts'
import type { ToolRequest } from './types.ts'

export interface FoundTool {
  reflex: ReflexDocument
  spec: ToolSpec
  /** As stored in the reflex; built-in tools need not be stored. */
  tool?: ReflexTool
}

/** Finds a tool in a version of its reflex. Throws TOOL_UNKNOWN, also when the reflex is switched off. */
export async function findTool(db: Database, { job, tool: address }: ToolRequest): Promise<FoundTool> {
  const { reflex_id, version, name } = address
  const references = [{ ref: reflex_id, name: reflex_id, version }]
  const [pinnedReflex] = await db.inWorkspaceAtOnce(job.workspace_id, tx =>
    findPinnedResources(tx, 'reflexes', references, visibleBrains(getBrainAccess(job))),
  )
  if (!pinnedReflex) throw unknownToolError(`There is no reflex ${reflex_id} at version ${version}`)
  if (!pinnedReflex.is_active) throw unknownToolError(`The reflex "${pinnedReflex.slug}" is switched off`)
  const { id, slug, title } = pinnedReflex
  const reflex = pinnedReflex.document as ReflexDocument
  if (reflex.target !== undefined)
    throw unknownToolError(`"${name}" runs a ${reflex.source} and cannot be called as a tool`)
  const specs = listToolSpecs({ id, slug, version: pinnedReflex.version, title, document: reflex })
  const spec = specs.find(each => each.name === name) ?? specs.find(each => prefixName(slug, each.name) === name)
  if (!spec) throw unknownToolError(`"${slug}" has no tool "${name}"`)
  return { reflex, spec, tool: reflex.tools.find(each => each.name === spec.name) }
}
