import { findContentRange } from '../../../data/documents/contents-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { findExtractedText } from '../../../data/documents/extractions-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { getResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { invalidArgumentsError } from '../errors.ts'
import { buildPrincipal } from '../principal.ts'
import type { Builtin } from './builtin.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'
import type { ResourceView } from '../../../contract/resources/resource.ts'

export interface ReadResourceDeps {
  db: Database
  resources: Pick<ResourcesService, 'read' | 'create' | 'edit'>
}

interface Arguments {
  type: ResourceKind
  id: string
  version?: number
  offset?: number
}

const PAGE_CHARS = 20_000
const MAX_OFFSET = 5_000_000

/** Reads a resource that is visible to the run. Document text is returned page by page. */
export function createReadResource({ db, resources }: ReadResourceDeps): Builtin {
  return async ({ args, signal, ...call }) => {
    const { type, id, version, offset = 0 } = args as unknown as Arguments
    if (offset > MAX_OFFSET)
      throw invalidArgumentsError([{ pointer: '/offset', message: `must be at most ${MAX_OFFSET}` }])
    const resource = await resources.read(buildPrincipal(call), type, id, version)
    signal.throwIfAborted()
    const { workspace_id } = call.job
    const text = getResourceKind(type).content ? await readPage(db, workspace_id, resource, offset) : {}
    return { ...presentResource(resource), ...text } as JsonValue
  }
}

function presentResource({ id, type, slug, title, path, version, document, updated_at }: ResourceView) {
  return { id, type, slug, title, path, version, document, updated_at }
}

async function readPage(db: Database, workspaceId: string, resource: ResourceView, offset: number) {
  const content = getResourceKind(resource.type).content?.(resource.document)
  if (!content) return {}
  // A UTF-8 character has at most four bytes. The additional character shows whether there is another page.
  const last = (offset + PAGE_CHARS + 1) * 4
  const bytes = await db.inWorkspace(workspaceId, async tx => {
    const sha256 = content.isText ? content.sha256 : await findExtractedText(tx, content)
    return sha256 === undefined ? undefined : findContentRange(tx, sha256, 0, last)
  })
  if (!bytes) return { text: null, note: 'the document has no text yet' }
  const text = new TextDecoder().decode(bytes, { stream: true })
  const page = text.slice(offset, offset + PAGE_CHARS)
  return { text: page, ...(text.length > offset + PAGE_CHARS && { next_offset: offset + PAGE_CHARS }) }
}
