import { APIError } from '@ganglion/client/errors'
import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { bootQuery } from './session.ts'

/** Reads the session again when the service no longer takes it, so that the sign-in page shows. */
const onError = (error: unknown, query?: { queryKey: readonly unknown[] }): void => {
  const isBoot = query?.queryKey[0] === bootQuery.queryKey[0]
  if (APIError.is(error, 'AUTH_REQUIRED') && !isBoot) void queryClient.resetQueries({ queryKey: bootQuery.queryKey })
}

const isFirstReading = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus === 'fetching'

/**
 * The library leaves a first reading as it is when what it reads is said to be out of date, although the service may have
 * answered before the change. Here another one follows.
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
  // The client repeats what may be repeated.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
})
