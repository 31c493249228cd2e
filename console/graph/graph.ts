import type { PathwayDefinition } from '@ganglion/client'

/** A pathway as it is drawn: of its nodes only what is shown. */
export interface Graph {
  /** From left to right instead of from top to bottom. */
  direction?: 'LR'
  nodes: GraphNode[]
  edges: { from: string; to: string; port: string }[]
}

export interface GraphNode {
  id: string
  type: string
  title: string
  /** The graph that a map or a loop repeats. */
  body?: Graph
}

interface Definition {
  nodes: { id: string; type: string; title?: string; body?: Definition }[]
  edges?: { from: string; on?: string; to: string }[]
}

export const DEFAULT_PORT = 'default'

/** A title with an expression has its text in a run only. */
const EXPRESSION = '${'

export const toGraph = (definition: PathwayDefinition): Graph => convert(definition)

function convert({ nodes, edges = [] }: Definition): Graph {
  return {
    nodes: nodes.map(({ id, type, title, body }) => ({
      id,
      type,
      title: title === undefined || title.includes(EXPRESSION) ? id : title,
      ...(body && { body: convert(body) }),
    })),
    edges: edges.map(({ from, on = DEFAULT_PORT, to }) => ({ from, to, port: on })),
  }
}
