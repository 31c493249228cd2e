import { Context } from '@temporalio/activity'
import { z } from 'zod'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { folderPath, kindName } from '../../domain/resources/names.ts'
import { queryText } from '../../domain/shared/text/search-query.ts'
import { getBrainAccess } from '../../services/access/brains.ts'
import { readStep } from '../shared/read-step.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { Step } from '../runs/step.ts'
import type { SearchService } from '../../services/search/search.ts'

/** A `search` node's `with` after its expressions are evaluated. */
const searchStep = z.object({
  query: queryText,
  mode: z.enum(['hybrid', 'keyword', 'semantic']).default('hybrid'),
  types: z.array(kindName).min(1).max(50).optional(),
  versions: z.union([z.enum(['head', 'all']), z.coerce.number().int().min(1).max(2_147_483_647)]).default('head'),
  path_prefix: folderPath.optional(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  min_score: z.coerce.number().min(0).max(1).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(10),
  offset: z.int().min(0).default(0),
})

/**
 * Creates the activity for the `search` node, which finds resources that are visible to the run. Its output is
 * `{matches, mode, took_ms}`. Throws StepError NODE_INPUT_INVALID and SEARCH_UNAVAILABLE.
 */
export function createSearchActivity({ search }: { search: SearchService }): Step {
  return async ({ job, with: rawStep }) => {
    const { path_prefix, metadata, ...request } = readStep(searchStep, rawStep)
    const principal = { workspace_id: job.workspace_id, ...getBrainAccess(job) }
    const { cancellationSignal: signal } = Context.current()
    const query = { ...request, filters: { path_prefix, metadata } }
    const reply = await search.search(principal, query, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      if (!(error instanceof Unavailable)) throw error
      throw new StepError('SEARCH_UNAVAILABLE', error.message, { retryable: true, cause: error })
    })
    return { output: reply as unknown as JsonValue }
  }
}
