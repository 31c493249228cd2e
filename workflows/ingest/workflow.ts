import { proxyActivities } from '@temporalio/workflow'
import type { IngestActivities } from '../../activities/types.ts'
import type { IngestResult } from '../../domain/documents.ts'
import { runSingleJob } from '../run/single-job.ts'
import { detailsOf } from './details.ts'
import type { IngestRunInput } from './messages.ts'
import { extractOptions } from './options.ts'

/** Reads one document. Gives what was read; fails with the code of what kept it from being read as failure type. */
export const ingest = (input: IngestRunInput): Promise<IngestResult> =>
  runSingleJob({
    job: input.job,
    step: 'extract',
    work: () => read(input),
    details: standing => detailsOf(input, standing),
    total: ({ pages }) => pages ?? 1,
    output: result => ({ ...result }),
  })

async function read(input: IngestRunInput): Promise<IngestResult> {
  const { job, document } = input
  const { extract } = proxyActivities<IngestActivities>(extractOptions(input))
  const { pages, characters } = await extract({ job, document })
  const { asset_id, version, media_type } = document
  return { asset_id, version, media_type, pages, characters }
}
