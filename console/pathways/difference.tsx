import { useCallback, useMemo, useState } from 'react'
import { GraphView } from './graph/graph-view.tsx'
import { type Graph, parseGraph } from './graph/graph.ts'
import type { Passage } from './graph/routed-edge.tsx'
import { Box } from '../shared/parts/boxes.tsx'
import { Status } from '../shared/parts/inline.tsx'
import { formatCount } from '../shared/parts/names.ts'
import { Read } from '../shared/parts/read.tsx'
import { LongJson } from '../shared/parts/values.tsx'
import { useRead } from '../shared/service/use-service.ts'
import { findNode, listNodes } from './find-node.ts'

interface DifferenceProps {
  pathwayId: string
  /** The earlier version. */
  from: number
  to: number
}

const PASSAGES: Partial<Record<Change, Passage>> = { added: 'taken', removed: 'gone' }

/** The difference between two versions, as a graph of both and as JSON Patch. */
export default function Difference({ pathwayId, from, to }: DifferenceProps) {
  const difference = useRead(['resources', 'pathway-difference', pathwayId, from, to], async ({ pathways }) => {
    const [before, after, { ops }] = await Promise.all([
      pathways.get(pathwayId, { version: from }),
      pathways.get(pathwayId, { version: to }),
      pathways.diff(pathwayId, { from, to }),
    ])
    return { before: before.definition, after: after.definition, ops }
  })
  return (
    <Read query={difference}>
      {({ before, after, ops }) => (
        <>
          <Drawn before={before} after={after} />
          <Box title={`${formatCount(ops.length, 'change')} as JSON Patch`} label="Changes as JSON">
            <LongJson value={ops} name={`${pathwayId}-${from}-${to}`} />
          </Box>
        </>
      )}
    </Read>
  )
}

function Drawn({ before, after }: { before: unknown; after: unknown }) {
  const [selectedPath, setSelectedPath] = useState<string>()
  const { graph, nodes, edges } = useMemo(() => compareDefinitions(before, after), [before, after])
  const stateOf = useCallback((path: string) => ({ status: nodes.get(path) }), [nodes])
  const passageOf = useCallback(
    (edge: Graph['edges'][number]) => PASSAGES[edges.get(buildEdgeName(edge)) ?? 'changed'] ?? 'open',
    [edges],
  )
  const list = [...nodes, ...edges.entries().map(([name, change]) => [`edge ${name}`, change] as const)]
  return (
    <div className="run-nodes" data-chosen>
      <section className="pane run-view" aria-label="Graph of both versions">
        <GraphView
          graph={graph}
          selected={selectedPath}
          onSelect={setSelectedPath}
          stateOf={stateOf}
          passageOf={passageOf}
          focus={[...nodes.keys()]}
        />
      </section>
      <section className="pane run-panel" aria-label="Changes">
        {selectedPath === undefined ? (
          <ul className="plain-list">
            {list.length === 0 && <li>No nodes or edges changed.</li>}
            {list.map(([name, change]) => (
              <li key={name}>
                <Status status={change} /> {name}
              </li>
            ))}
          </ul>
        ) : (
          <>
            <Side title="Before" node={findNode(before, selectedPath)} />
            <Side title="After" node={findNode(after, selectedPath)} />
          </>
        )}
      </section>
    </div>
  )
}

const Side = ({ title, node }: { title: string; node: object | undefined }) => (
  <>
    <h2>{title}</h2>
    {node ? <LongJson value={node} name={title} /> : <p className="item-note">This version has no such node.</p>}
  </>
)

export type Change = 'added' | 'removed' | 'changed'

export interface Comparison {
  /** The nodes and edges of both definitions. */
  graph: Graph
  /** By node path. Unchanged nodes have no entry. */
  nodes: Map<string, Change>
  /** By `buildEdgeName` of the paths. */
  edges: Map<string, Change>
}

export const buildEdgeName = ({ from, port, to }: Graph['edges'][number]): string => `${from} ${port} ${to}`

/** Compares an earlier and a later definition. */
export function compareDefinitions(before: unknown, after: unknown): Comparison {
  const [earlier, later] = [parseGraph(before), parseGraph(after)]
  return {
    graph: merge(earlier, later),
    nodes: compare(listFields(before), listFields(after)),
    edges: compare(listEdges(earlier), listEdges(later)),
  }
}

function merge(earlier: Graph, later: Graph): Graph {
  const nodes = new Map(earlier.nodes.map(node => [node.id, node]))
  for (const node of later.nodes) {
    const before = nodes.get(node.id)?.body
    nodes.set(node.id, { ...node, ...(before && { body: node.body ? merge(before, node.body) : before }) })
  }
  const edges = new Map([...earlier.edges, ...later.edges].map(edge => [buildEdgeName(edge), edge]))
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** Returns the fields of each node as text, without the node's body. */
const listFields = (definition: unknown) =>
  new Map(listNodes(definition).map(({ path, node: { body: _body, ...fields } }) => [path, JSON.stringify(fields)]))

function listEdges({ nodes, edges }: Graph, prefix = ''): Map<string, string> {
  const names = edges.map(({ from, port, to }) => buildEdgeName({ from: prefix + from, port, to: prefix + to }))
  const inner = nodes.flatMap(({ id, body }) => (body ? [...listEdges(body, `${prefix}${id}/`).keys()] : []))
  return new Map([...names, ...inner].map(name => [name, '']))
}

function compare(before: Map<string, string>, after: Map<string, string>): Map<string, Change> {
  const changes = new Map<string, Change>()
  for (const name of before.keys()) if (!after.has(name)) changes.set(name, 'removed')
  for (const [name, value] of after)
    if (before.get(name) !== value) changes.set(name, before.has(name) ? 'changed' : 'added')
  return changes
}
