import type { Database } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ArtifactDocument } from '../../domain/resources/kinds/artifacts.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { ResourcesService } from '../resources/resources.ts'
import { readSlices } from './contents.ts'
import type { DocumentsService } from './documents.ts'

/** Content to send. */
export interface Download {
  sha256: string
  size: number
  /** Includes the charset for text. */
  content_type: string
  file_name: string
  /** Reads the bytes from `from` to `to`, inclusive, as they are consumed. */
  read: (from: number, to: number) => AsyncGenerator<Buffer>
}

/** File extensions to use for content without a file name. */
const EXTENSIONS: Record<string, string> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
}

/** Downloads the content of resources that are visible to the principal. */
export function createDownload({ db, resources }: { db: Database; resources: ResourcesService }) {
  const content: DocumentsService['content'] = async (principal: Principal, kind, idOrSlug, version) => {
    const resource = await resources.read(principal, kind, idOrSlug, version)
    const { sha256, size, media_type, charset } = getDocument(resource)
    const file = { sha256, size, media_type, charset, file_name: buildFileName(resource) }
    return buildDownload(db, principal.workspace_id, file)
  }
  return content
}

/** Stored content with a name. */
interface NamedContent extends TypedContent {
  sha256: string
  size: number
  file_name: string
}

export const buildDownload = (db: Database, workspaceId: string, file: NamedContent): Download => ({
  sha256: file.sha256,
  size: file.size,
  content_type: formatContentType(file),
  file_name: file.file_name,
  read: (from, to) => readSlices(db, workspaceId, { sha256: file.sha256, from, to }),
})

type StoredDocument = ArtifactDocument & Pick<AssetDocument, 'charset' | 'file_name'>
const getDocument = ({ document }: ResourceView): StoredDocument => document as StoredDocument

interface TypedContent {
  media_type: string
  charset?: string
}

/** Text is assumed to be UTF-8 unless its charset is known. */
function formatContentType({ media_type, charset }: TypedContent): string {
  const isText = charset !== undefined || /^text\/|[/+](?:json|xml|yaml)$/.test(media_type)
  return isText ? `${media_type}; charset=${charset ?? 'utf-8'}` : media_type
}

function buildFileName(resource: ResourceView): string {
  const { file_name, media_type } = getDocument(resource)
  return file_name ?? `${resource.slug}.${EXTENSIONS[media_type] ?? (media_type.startsWith('text/') ? 'txt' : 'bin')}`
}
