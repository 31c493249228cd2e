import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Graph } from './graph.ts'
import type { Layout } from './layout.ts'

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (layout: Layout) => void>()

function placeInWorker(graph: Graph): Promise<Layout> {
  worker ??= startWorker()
  const id = ++lastId
  return new Promise(resolve => {
    waiting.set(id, resolve)
    // Messages to a worker have no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker?.postMessage({ id, graph })
  })
}

function startWorker(): Worker {
  const newWorker = new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module' })
  newWorker.addEventListener('message', ({ data }: MessageEvent<{ id: number; layout: Layout }>) => {
    waiting.get(data.id)?.(data.layout)
    waiting.delete(data.id)
  })
  return newWorker
}

/** Returns a graph's layout. Until it is computed, returns the previous graph's layout. */
export function useLayout(graph: Graph): Layout | undefined {
  // Serialized, because the library would sort all property names of an object key on each render.
  const key = useMemo(() => JSON.stringify(graph), [graph])
  const { data } = useQuery({
    queryKey: ['layout', key],
    queryFn: () => placeInWorker(graph),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
  return data
}
