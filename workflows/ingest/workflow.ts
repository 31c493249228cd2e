import { ActivityFailure, ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { IngestActivities } from '../../activities/types.ts'
import type { IngestResult, TextFacts } from '../../domain/documents.ts'
import { runSingleJob } from '../shared/single-job.ts'
import { renderDetails } from './details.ts'
import type { IngestRunInput } from './messages.ts'
import { buildExtractOptions, buildLocalExtractOptions } from './options.ts'

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
  const { asset_id, version, media_type } = input.document
  const { pages, characters } = await (input.is_small ? extractSmall(input) : extract(input))
  return { asset_id, version, media_type, pages, characters }
}

function extract(input: IngestRunInput): Promise<TextFacts> {
  const { job, document } = input
  return proxyActivities<IngestActivities>(buildExtractOptions(input)).extract({ job, document })
}

/** The first attempt is a local activity, which saves two round trips to the server. */
async function extractSmall(input: IngestRunInput): Promise<TextFacts> {
  const { job, document } = input
  const local = proxyLocalActivities<IngestActivities>(buildLocalExtractOptions(input))
  try {
    return await local.extract({ job, document })
  } catch (error) {
    if (isFinal(error)) throw error
    return extract(input)
  }
}

/** A local activity fails with its own error, a regular one with that as the cause. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof ApplicationFailure && cause.nonRetryable === true
}
