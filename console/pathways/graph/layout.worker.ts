import type { Graph } from './graph.ts'
import { layoutGraph } from './layout.ts'

/** Large graphs take a second, during which the page must stay responsive. */
addEventListener('message', ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  postMessage({ id: data.id, layout: layoutGraph(data.graph) })
})
