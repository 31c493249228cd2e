import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import type { SearchRequest } from '../../contract/search/search.ts'
import type { JobAccepted } from '../../contract/runs/control.ts'
import { type JobStarter, acceptJob } from '../runs/start/job-starter.ts'
import { buildPathwayJob } from '../runs/start/start-pathway.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { listSearchedKinds } from './search.ts'

export interface SearchJobs {
  /** Starts a search as a job. The job's result is the search response. */
  start(principal: Principal, request: SearchRequest, idempotency?: Idempotency): Promise<JobAccepted>
}

const MAX_TITLE_CHARS = 80

/** Runs searches as jobs. Each job runs a pathway with one `search` node. */
export function createSearchJobs(jobStarter: JobStarter): SearchJobs {
  return {
    async start(
      principal,
      { query, mode, types, versions = 'head', min_score, filters = {}, limit, offset },
      idempotency,
    ) {
      const { path_prefix, metadata } = filters
      listSearchedKinds(types, versions)
      // The caller's texts are passed as input, because texts in a definition would be evaluated as expressions.
      const input: JsonObject = { query, path_prefix: path_prefix ?? '/', metadata: metadata ?? {} }
      const title = cleanTitle(`Search: ${query}`, MAX_TITLE_CHARS)
      const run = {
        pathway: { id: null, slug: 'search', version: null, title },
        definition: buildDefinition({
          mode,
          ...(types && { types }),
          ...(versions !== 'head' && { versions }),
          ...(min_score !== undefined && { min_score }),
          limit,
          offset,
        }),
        subflows: {},
        input,
      }
      return jobStarter.start(principal, idempotency, async (_, claimJob) => {
        const { job, requester } = await claimJob('search')
        return acceptJob({ ...buildPathwayJob({ ...run, job, requester }), kind: 'search' })
      })
    },
  }
}

const buildDefinition = (fixed: JsonObject): PathwayDefinition => ({
  schema: 'pathway/1',
  nodes: [
    {
      id: 'search',
      type: 'search',
      with: {
        ...fixed,
        query: '${input.query}',
        path_prefix: '${input.path_prefix}',
        metadata: '${input.metadata}',
      } as unknown as { query: string },
    },
  ],
  edges: [],
})
