import { graphlib, layout } from '@dagrejs/dagre'
import { DEFAULT_PORT, type Graph, type GraphNode } from './graph.ts'

interface Point {
  x: number
  y: number
}

/** A node with its position. `path` contains the ids from the outermost graph inward, such as `each/fetch`. */
export interface PlacedNode extends Point {
  path: string
  node: GraphNode
  width: number
  height: number
}

export interface PlacedEdge {
  /** Node paths. */
  from: string
  to: string
  port: string
  points: Point[]
  label: Point
}

export interface Layout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  width: number
  height: number
}

const WIDTH = 220
const HEIGHT = 64
const PADDING = 18
/** Space above a body for the title of the map or loop, in pixels. */
const HEAD = 62
const LETTER = 7

/**
 * Lays out a graph from top to bottom. Lays out bodies first and treats each as a box, because edges cannot end at
 * clusters.
 */
export function layoutGraph(graph: Graph, prefix = ''): Layout {
  // The library returns no size for an empty graph.
  if (graph.nodes.length === 0) return { nodes: [], edges: [], width: 0, height: 0 }
  const bodies = new Map(
    graph.nodes.flatMap(({ id, body }) => (body ? [[id, layoutGraph(body, `${prefix}${id}/`)] as const] : [])),
  )
  const placed = new graphlib.Graph({ multigraph: true })
  placed.setGraph({ rankdir: graph.direction ?? 'TB', nodesep: 36, ranksep: 46, marginx: 8, marginy: 8 })
  for (const { id } of graph.nodes) placed.setNode(id, measure(bodies.get(id)))
  const placedEdges = graph.edges.filter(({ from, to }) => placed.hasNode(from) && placed.hasNode(to))
  for (const { from, to, port } of placedEdges)
    placed.setEdge(from, to, { width: port === DEFAULT_PORT ? 0 : port.length * LETTER, height: 18 }, port)
  layout(placed)
  const placedNodes = graph.nodes.map(node => placeNode(node, `${prefix}${node.id}`, placed.node(node.id) as Box))
  const inner = placedNodes.flatMap(box => shiftInto(bodies.get(box.node.id), box))
  return {
    nodes: placedNodes.concat(inner.flatMap(({ nodes }) => nodes)),
    edges: placedEdges
      .map(({ from, to, port }) => {
        const { points, x, y } = placed.edge(from, to, port) as Point & { points: Point[] }
        return { from: prefix + from, to: prefix + to, port, points, label: { x, y } }
      })
      .concat(inner.flatMap(({ edges }) => edges)),
    width: placed.graph().width ?? 0,
    height: placed.graph().height ?? 0,
  }
}

type Box = Point & { width: number; height: number }

const measure = (body: Layout | undefined) =>
  body
    ? { width: Math.max(WIDTH, body.width + 2 * PADDING), height: body.height + HEAD + PADDING }
    : { width: WIDTH, height: HEIGHT }

/** The layout positions nodes by center; drawing, by top-left corner. */
const placeNode = (node: GraphNode, path: string, { x, y, width, height }: Box): PlacedNode => ({
  path,
  node,
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
})

/** Returns a body's layout, moved into its box. Empty for nodes without a body. */
function shiftInto(body: Layout | undefined, box: PlacedNode): Layout[] {
  if (!body) return []
  const dx = box.x + (box.width - body.width) / 2
  const dy = box.y + HEAD
  const move = ({ x, y }: Point): Point => ({ x: x + dx, y: y + dy })
  return [
    {
      ...body,
      nodes: body.nodes.map(node => Object.assign(node, move(node))),
      edges: body.edges.map(edge => Object.assign(edge, { points: edge.points.map(move), label: move(edge.label) })),
    },
  ]
}
