import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { DEFAULT_PORT } from './graph.ts'
import type { PlacedEdge } from './layout.ts'

/**
 * `taken`: the run followed the edge. `not`: the run took another path. `gone`: the later version doesn't contain the
 * edge.
 */
export type Passage = 'taken' | 'not' | 'open' | 'gone'

/** An edge along the layout's points, which avoid other nodes. The edge's label is the port. */
export function RoutedEdge({ id, data, markerEnd }: EdgeProps & { data?: { edge: PlacedEdge; passage: Passage } }) {
  if (!data) return null
  const { points, label, port } = data.edge
  return (
    <>
      <BaseEdge id={id} path={drawPath(points)} markerEnd={markerEnd} className={`edge edge-${data.passage}`} />
      {port !== DEFAULT_PORT && (
        <EdgeLabelRenderer>
          <span
            className="edge-label"
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
          >
            {port}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

/** Draws a line through the points with rounded corners. */
function drawPath(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const middles = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] ?? point
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`
  })
  const last = rest.at(-1) ?? first
  return `M${first.x},${first.y} ${middles.join(' ')} L${last.x},${last.y}`
}
