import type { IngestResult } from '../../domain/documents.ts'
import { escapeMarkdown } from '../markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/job-details.ts'
import type { IngestRunInput } from './messages.ts'

/** Renders the document and the outcome as Markdown for the Temporal UI. */
export function renderDetails({ document, requester }: IngestRunInput, outcome: JobOutcome<IngestResult>): string {
  const { asset_id, version, title, file_name, size, media_type } = document
  return renderJobDetails({
    subject: 'document',
    rows: [
      ['title', escapeMarkdown(title)],
      ...(file_name ? [['file', escapeMarkdown(file_name)] as [string, string]] : []),
      ['size', formatSize(size)],
      ['type', escapeMarkdown(media_type)],
      ['asset', `\`${asset_id}\`, version ${version}`],
      ['sent by', escapeMarkdown(requester)],
    ],
    outcome,
    resultRow: ({ pages, characters }) => [
      'read',
      `${pages === null ? '' : `${pages} pages, `}${characters} characters`,
    ],
  })
}

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
