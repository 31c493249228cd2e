import type { Ganglion } from '@ganglion/client'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { buildPageQuery, PAGE_SIZE } from '../parts/search.ts'
import { useSignedIn } from './signed-in.tsx'

/**
 * Loads data from the service. Reloads it after a change or a workspace event that affects the first part of the
 * query key.
 */
export function useRead<Reply>(
  key: [name: string, ...rest: unknown[]],
  read: (ganglion: Ganglion) => PromiseLike<Reply>,
  options?: Omit<UseQueryOptions<Reply>, 'queryKey' | 'queryFn'>,
) {
  const { ganglion, brainId } = useSignedIn()
  return useQuery({ queryKey: [...key, brainId], queryFn: async () => read(ganglion), ...options })
}

/** Loads a list from the service page by page. */
export function useReadPages<Item>(
  key: [name: string, ...rest: unknown[]],
  read: (ganglion: Ganglion, page: ReturnType<typeof buildPageQuery>) => PromiseLike<{ data: Item[]; total: number }>,
  options?: { refetchInterval: number },
) {
  const { ganglion, brainId } = useSignedIn()
  return useInfiniteQuery({
    queryKey: [...key, brainId],
    queryFn: async ({ pageParam }) => {
      const { data, total } = await read(ganglion, buildPageQuery(pageParam))
      return { data, total }
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length + 1 : undefined),
    select: ({ pages }) => ({ data: pages.flatMap(({ data }) => data), total: pages[0]?.total }),
    ...options,
  })
}

/** Sends a change to the service, then reloads the queries whose keys start with the name. */
export function useChange<Input = void, Reply = unknown>(
  name: string,
  send: (ganglion: Ganglion, input: Input) => PromiseLike<Reply>,
  onSuccess?: (reply: Reply, input: Input) => void,
) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => send(ganglion, input),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [name] }),
  })
}
