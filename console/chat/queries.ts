import type { Data, Item } from '@ganglion/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

export type Trace = Item<'traces.list'>
export type Message = Data<'traces.get'>['messages'][number]
export type Turn = Item<'jobs.list'>
type Turns = ReadonlyMap<string, Turn>

const NONE: Turns = new Map()

const THREADS = 50
const MESSAGES = 100
const RUNS = 200
const ANSWERING = 200

/** The threads of the person, or of all, latest first. */
export function useThreadsQuery(isOfAll: boolean) {
  const { ganglion, brainId } = useSignedIn()
  return infiniteQueryOptions({
    queryKey: ['traces', 'list', brainId, isOfAll],
    queryFn: async ({ pageParam }) => {
      const query = { limit: THREADS, offset: pageParam, ...(isOfAll && { actor: 'all' }) }
      const { data, total, offset } = await ganglion.traces.list(query)
      return { data, next: offset + data.length < total ? offset + data.length : undefined }
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  })
}

/**
 * The messages of a thread, the latest page first, with the latest runs that answer in it, by their job ids; earlier pages
 * on request. The runs are read before the messages, so that a run that has ended has its answer among them.
 */
export function useThreadQuery(traceId: string) {
  const { ganglion } = useSignedIn()
  return infiniteQueryOptions({
    queryKey: ['traces', 'one', traceId],
    queryFn: async ({ pageParam }: { pageParam: number | undefined }) => {
      const [turns, offset] =
        pageParam === undefined ? await Promise.all([listTurns(), findLastPage()]) : [NONE, pageParam]
      const { trace, messages } = await ganglion.traces.get(traceId, { limit: MESSAGES, offset })
      return { trace, messages, turns, offset }
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: () => null,
    getPreviousPageParam: ({ offset }) => (offset === 0 ? null : Math.max(0, offset - MESSAGES)),
  })

  async function findLastPage(): Promise<number> {
    const { pagination } = await ganglion.traces.get(traceId, { limit: 1 })
    return Math.max(0, pagination.total - MESSAGES)
  }

  async function listTurns(): Promise<Turns> {
    const { data } = await ganglion.jobs.list({ trace_id: traceId, child_runs: 'false', limit: RUNS })
    return new Map(data.map(job => [job.job_id, job]))
  }
}

/** Who can answer: neurons and receptors that are switched on. */
export function useAnsweringQuery() {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'answering', brainId],
    queryFn: async () => {
      const query = { is_active: 'true' as const, limit: ANSWERING }
      const [neurons, receptors] = await Promise.all([ganglion.neurons.list(query), ganglion.receptors.list(query)])
      return { neurons: neurons.data, receptors: receptors.data }
    },
  })
}
