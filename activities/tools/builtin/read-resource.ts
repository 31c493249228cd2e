import type { Database } from '../../../data/shared/database.ts'
import { findExtractedText } from '../../../data/documents/extractions-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { getResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { readTextPage } from '../../documents/file-texts.ts'
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

export const PAGE_CHARS = 20_000
export const MAX_TEXT_OFFSET = 5_000_000

/** Reads a resource that is visible to the run. Document text is returned page by page. */
export function createReadResource({ db, resources }: ReadResourceDeps): Builtin {
  return async ({ args, signal, ...call }) => {
    const { type, id, version, offset = 0 } = args as unknown as Arguments
    if (offset > MAX_TEXT_OFFSET)
      throw invalidArgumentsError([{ pointer: '/offset', message: `must be at most ${MAX_TEXT_OFFSET}` }])
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
  const sha256 = content.isText
    ? content.sha256
    : await db.inWorkspace(workspaceId, tx => findExtractedText(tx, content))
  if (sha256 === undefined) return { text: null, note: 'the document has no text yet' }
  return readTextPage(db, workspaceId, sha256, { offset, limit: PAGE_CHARS })
}
