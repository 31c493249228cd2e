import type { JsonObject } from '../../domain/json.ts'
import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Launcher } from '../jobs/launch.ts'
import { launchOf } from '../jobs/start.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { SearchRequest } from './types.ts'

export interface SearchJobs {
  /** Starts a search as a job, whose result is what the search answers. */
  start(
    principal: Principal,
    request: SearchRequest,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}

const MAX_TITLE_CHARS = 80

/** A search as a job is a run of a pathway with one `search` node: it streams, is cancelled and read like any other. */
export function createSearchJobs(launcher: Pick<Launcher, 'start'>): SearchJobs {
  return {
    start(principal, { query, mode, types, filters = {}, limit, offset }, idempotency) {
      const { path_prefix, metadata } = filters
      // What people wrote goes in as input: in a definition it could be taken for an expression.
      const input: JsonObject = { query, path_prefix: path_prefix ?? '/', metadata: metadata ?? {} }
      const title = `Search: ${query.replaceAll(/\s+/g, ' ').trim()}`.slice(0, MAX_TITLE_CHARS)
      const run = {
        pathway: { id: null, slug: 'search', version: null, title },
        definition: definitionOf({ mode, ...(types && { types }), limit, offset }),
        subflows: {},
        input,
        requester: principal.actor,
      }
      const plan = {
        name: 'search',
        launch: (job: Parameters<typeof launchOf>[0]['job']) => ({
          ...launchOf({ ...run, job }),
          kind: 'search' as const,
        }),
      }
      return launcher.start(principal, () => Promise.resolve(plan), idempotency)
    },
  }
}

const definitionOf = (fixed: JsonObject): PathwayDefinition => ({
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
