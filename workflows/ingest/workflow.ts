import { proxyActivities } from '@temporalio/workflow'
import type { IngestActivities } from '../../activities/types.ts'
import type { IngestResult } from '../../domain/documents.ts'
import { runSingleJob } from '../shared/single-job.ts'
import { renderDetails } from './details.ts'
import type { IngestRunInput } from './messages.ts'
import { buildExtractOptions } from './options.ts'

/** Extracts the text of one document. Throws with the error code as failure type. */
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
