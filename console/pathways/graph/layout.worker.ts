import type { Graph } from './graph.ts'
import { layoutGraph } from './layout.ts'

/** Large graphs take a second, in which the page must not stand still. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  postMessage({ id: data.id, layout: layoutGraph(data.graph) })
})
