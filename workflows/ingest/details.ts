import type { IngestResult } from '../../domain/documents.ts'
import { plain } from '../markdown.ts'
import { type Standing, standingTable } from '../run/standing.ts'
import type { IngestRunInput } from './messages.ts'

/** The run as Markdown for the Temporal UI: which document, and what became of it. */
export function detailsOf({ document, requester }: IngestRunInput, standing: Standing<IngestResult>): string {
  const { asset_id, version, title, file_name, size, media_type } = document
  return standingTable({
    about: 'document',
    rows: [
      ['title', plain(title)],
      ...(file_name ? [['file', plain(file_name)] as [string, string]] : []),
      ['size', sizeOf(size)],
      ['type', plain(media_type)],
      ['asset', `\`${asset_id}\`, version ${version}`],
      ['sent by', plain(requester)],
    ],
    standing,
    gave: ({ pages, characters }) => ['read', `${pages === null ? '' : `${pages} pages, `}${characters} characters`],
  })
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
