import { APIError } from '@ganglion/client/errors'
import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { bootQuery } from './session.ts'

/** Reloads the session if the service no longer accepts it, so that the sign-in page appears. */
const onError = (error: unknown, query?: { queryKey: readonly unknown[] }): void => {
  const isBoot = query?.queryKey[0] === bootQuery.queryKey[0]
  if (APIError.is(error, 'AUTH_REQUIRED') && !isBoot) void queryClient.resetQueries({ queryKey: bootQuery.queryKey })
}

const isFirstReading = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus === 'fetching'

/**
 * The library ignores an invalidation during a query's first load, although the service may have responded before the
 * change. This class loads such a query again.
 */
class RereadingQueryClient extends QueryClient {
  override async invalidateQueries(...[filters, options]: Parameters<QueryClient['invalidateQueries']>): Promise<void> {
    const first = this.getQueryCache().findAll(filters).filter(isFirstReading)
    await super.invalidateQueries(filters, options)
    await Promise.all(first.map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, options)))
  }
}

export const queryClient: QueryClient = new RereadingQueryClient({
  queryCache: new QueryCache({ onError }),
  // The client already retries requests that are safe to retry.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
})
