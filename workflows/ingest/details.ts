import type { IngestResult } from '../../domain/documents.ts'
import { plain } from '../markdown.ts'
import type { IngestRunInput } from './messages.ts'

type Standing = 'running' | 'cancelled' | { code: string; message: string } | IngestResult

/** The run as Markdown for the Temporal UI: which document, and what became of it. */
export function detailsOf({ document, requester }: IngestRunInput, standing: Standing): string {
  const { asset_id, version, title, file_name, size, media_type } = document
  return [
    `**${wordOf(standing)}**`,
    '',
    '| document | |',
    '|---|---|',
    `| title | ${plain(title)} |`,
    ...(file_name ? [`| file | ${plain(file_name)} |`] : []),
    `| size | ${sizeOf(size)} |`,
    `| type | ${plain(media_type)} |`,
    `| asset | \`${asset_id}\`, version ${version} |`,
    `| sent by | ${plain(requester)} |`,
    ...outcome(standing),
  ].join('\n')
}

const wordOf = (standing: Standing): string =>
  typeof standing === 'string' ? standing : 'code' in standing ? 'failed' : 'completed'

function outcome(standing: Standing): string[] {
  if (typeof standing === 'string') return []
  if ('code' in standing) return [`| why | ${plain(standing.code)}: ${plain(standing.message)} |`]
  const { pages, characters } = standing
  return [`| read | ${pages === null ? '' : `${pages} pages, `}${characters} characters |`]
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
