import '@xyflow/react/dist/style.css'
import './graph.css'
import {
  Background,
  Controls,
  MarkerType,
  type NodeHandle,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Viewport,
} from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import { Loading } from '../../shared/parts/loading.tsx'
import type { Graph } from './graph.ts'
import type { Layout } from './layout.ts'
import { NodeCard, type NodeState } from './node-card.tsx'
import { type Passage, RoutedEdge } from './routed-edge.tsx'
import { useLayout } from './use-layout.ts'
import { findViewport, reveal } from './viewport.ts'

interface GraphViewProps {
  graph: Graph
  label?: string
  selected?: string
  onSelect: (path: string) => void
  /** Returns additional node information by path. */
  stateOf?: (path: string) => NodeState | undefined
  passageOf?: (edge: Graph['edges'][number]) => Passage
  /** Paths of the nodes that are initially in view, if the graph is too large to show as a whole. */
  focus?: string[]
}

const NODE_TYPES = { card: NodeCard }
const EDGE_TYPES = { routed: RoutedEdge }

/** Draws a pathway from top to bottom. For a run, also shows the node states. */
export function GraphView(props: GraphViewProps) {
  const layout = useLayout(props.graph)
  return (
    <div className="graph">
      {layout ? (
        <ReactFlowProvider>
          <Flow {...props} layout={layout} />
        </ReactFlowProvider>
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Flow({
  layout,
  label = 'Graph of the workflow',
  selected,
  onSelect,
  stateOf,
  passageOf,
  focus,
}: GraphViewProps & { layout: Layout }) {
  const nodes = useMemo(
    () =>
      layout.nodes.map(({ path, node, x, y, width, height }) => ({
        id: path,
        type: 'card',
        position: { x, y },
        width,
        height,
        measured: { width, height },
        handles: listHandles(width, height),
        zIndex: node.body ? 0 : 1,
        data: {
          ...stateOf?.(path),
          node,
          isSelected: path === selected,
          onSelect: () => onSelect(path),
        },
      })),
    [layout, selected, onSelect, stateOf],
  )
  const edges = useMemo(
    () =>
      layout.edges.map(edge => {
        const passage = passageOf?.(edge) ?? 'open'
        return {
          id: `${edge.from} ${edge.port} ${edge.to}`,
          source: edge.from,
          target: edge.to,
          type: 'routed',
          zIndex: 1,
          data: { edge, passage },
          markerEnd: { type: MarkerType.ArrowClosed, color: `var(--edge-${passage})`, width: 16, height: 16 },
        }
      }),
    [layout, passageOf],
  )
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      onlyRenderVisibleElements
      minZoom={0.1}
      maxZoom={1.5}
      preventScrolling={false}
      zoomOnScroll={false}
      aria-label={label}
    >
      <Background gap={22} size={1.2} />
      <Controls showInteractive={false} />
      <View layout={layout} focus={focus} selected={selected} />
    </ReactFlow>
  )
}

/**
 * Positions where edges end at a node. Without these positions, each change would first render all nodes to measure
 * them.
 */
const listHandles = (width: number, height: number): NodeHandle[] => [
  { type: 'target', position: Position.Top, x: width / 2, y: 0 },
  { type: 'source', position: Position.Bottom, x: width / 2, y: height },
]

/**
 * Fits the graph into view, again when the space changes, until a person moves the graph. Then, only scrolls the
 * selected node into view if it is hidden.
 */
function View({ layout, focus = [], selected }: Pick<GraphViewProps, 'focus' | 'selected'> & { layout: Layout }) {
  const { setViewport, getViewport } = useReactFlow()
  const width = useStore(store => store.width)
  const height = useStore(store => store.height)
  const isMeasured = width > 0 && height > 0
  const drawn = useRef<Layout>(undefined)
  const fitted = useRef<Viewport>(undefined)
  useEffect(() => {
    if (!isMeasured || layout.nodes.length === 0) return
    const size = { width, height }
    const current = getViewport()
    const isUnmoved = drawn.current !== layout || areSame(current, fitted.current)
    drawn.current = layout
    const before = isUnmoved ? findViewport(layout, focus, size) : current
    // In an unsaved pathway, the selected node may not have a position yet.
    const selectedNode = layout.nodes.find(({ path }) => path === selected)
    const after = selectedNode ? reveal(selectedNode, before, size) : before
    if (isUnmoved) fitted.current = after
    if (!areSame(after, current)) void setViewport(after)
    // `focus` is not a dependency, so that a running pathway does not move the graph while a person looks at it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [layout, selected, width, height, isMeasured])
  return null
}

const areSame = (one: Viewport, other: Viewport | undefined): boolean =>
  one.x === other?.x && one.y === other.y && one.zoom === other.zoom
