import { APIError } from '@ganglion/client/errors'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { bootQuery } from './session.ts'

/** Reads the session again when the service no longer takes it, so that the sign-in page shows. */
const onError = (error: unknown, query?: { queryKey: readonly unknown[] }): void => {
  const isBoot = query?.queryKey[0] === bootQuery.queryKey[0]
  if (APIError.is(error, 'AUTH_REQUIRED') && !isBoot) void queryClient.resetQueries({ queryKey: bootQuery.queryKey })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  // The client repeats what may be repeated.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
})
