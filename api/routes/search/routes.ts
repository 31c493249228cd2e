import * as schemas from '../../../contract/search/search.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import type { SearchJobs } from '../../../services/search/search-jobs.ts'
import { allowReaders } from '../../routing/access.ts'
import { createDisconnectSignal } from '../../routing/closed.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { SearchService } from '../../../services/search/search.ts'

/** Routes for keyword, semantic and hybrid search over all resources. */
export function searchRoutes({ search, searchJobs }: { search: SearchService; searchJobs: SearchJobs }): Route[] {
  const now = defineRoute({
    name: 'search.query',
    method: 'post',
    effect: 'read',
    path: '/v1/search',
    summary: 'Search resources',
    description:
      'The default mode is hybrid, which merges keyword and semantic results into one ranking. Returns at most 200 matches, one per resource, best first.',
    tag: 'Discovery',
    access: allowReaders('resources:read'),
    body: schemas.searchBody,
    responses: { 200: { description: 'The matches', schema: schemas.searchReply } },
    handler: async ({ principal, body, ctx }) =>
      ok(await search.search(principal, body, { signal: createDisconnectSignal(ctx.res) })),
  })

  const later = defineRoute({
    name: 'search.start',
    method: 'get',
    effect: 'write',
    path: '/v1/search',
    summary: 'Start a search job',
    description: "The job's result has the same form as the response of `POST /v1/search`.",
    tag: 'Discovery',
    access: allowReaders('resources:read'),
    query: schemas.searchQuery,
    responses: { 202: { description: 'The search was accepted', schema: jobAccepted } },
    async handler({ principal, query: { path_prefix, ...request } }) {
      return accepted(await searchJobs.start(principal, { ...request, filters: { path_prefix } }))
    },
  })

  return [now, later]
}
