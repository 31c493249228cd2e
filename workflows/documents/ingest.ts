import type { ActivityOptions } from '@temporalio/common'
import { retryThroughOutages } from '../shared/steps/activity-options.ts'
import type { IngestRunInput } from './ingest-messages.ts'
import { proxyActivities } from '@temporalio/workflow'
import type { IngestActivities } from '../../activities/types.ts'
import type { IngestResult } from '../../domain/documents/documents.ts'
import { runSingleJob } from '../shared/run/single-job.ts'
import { escapeMarkdown } from '../shared/markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/view/job-details.ts'

/** An unreadable document fails with its own code and is not retried. */
const buildExtractOptions = ({ document, time_limit_ms }: IngestRunInput): ActivityOptions => ({
  ...retryThroughOutages(15),
  summary: document.title,
  startToCloseTimeout: time_limit_ms,
})

/** Extracts the text of one document. On failure, throws with the error code as failure type. */
export const ingest = (input: IngestRunInput): Promise<IngestResult> =>
  runSingleJob({
    job: input.job,
    step: 'extract',
    work: () => extractText(input),
    details: outcome => renderDetails(input, outcome),
    total: ({ pages }) => pages ?? 1,
    output: result => ({ ...result }),
  })

async function extractText(input: IngestRunInput): Promise<IngestResult> {
  const { job, document } = input
  const { asset_id, version, media_type } = document
  const { extract } = proxyActivities<IngestActivities>(buildExtractOptions(input))
  const { pages, characters } = await extract({ job, document })
  return { asset_id, version, media_type, pages, characters }
}

/** Renders the document and the outcome as Markdown for the Temporal UI. */
function renderDetails({ document, requester }: IngestRunInput, outcome: JobOutcome<IngestResult>): string {
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
