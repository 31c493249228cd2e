import { useCallback, useMemo } from 'react'
import { GraphView } from '../pathways/graph/graph-view.tsx'
import { DEFAULT_PORT, type Graph, parseGraph } from '../pathways/graph/graph.ts'
import type { NodeState } from '../pathways/graph/node-card.tsx'
import type { Passage } from '../pathways/graph/routed-edge.tsx'
import { Choice } from '../shared/parts/choice.tsx'
import { getNodePath, listIterations, resolveKey } from './keys.ts'
import type { RunNode } from './times.ts'

const ENDED = new Set(['completed', 'compensated'])

interface RunGraphProps {
  definition: unknown
  nodes: (Pick<RunNode, 'key' | 'port' | 'title'> & { status: string })[]
  selected: string | undefined
  onSelect: (key: string) => void
}

/** The graph of a run or dry run with its node states. Maps and loops show one iteration, which can be selected. */
export default function RunGraph({ definition, nodes, selected, onSelect }: RunGraphProps) {
  const graph = useMemo(() => parseGraph(definition), [definition])
  const byKey = useMemo(() => new Map(nodes.map(node => [node.key, node])), [nodes])
  const nodeAt = useCallback((path: string) => byKey.get(resolveKey(path, selected, nodes)), [byKey, nodes, selected])
  const stateOf = useCallback(
    (path: string): NodeState => {
      const { title, status } = nodeAt(path) ?? {}
      const key = resolveKey(path, selected, nodes)
      const iterations = listIterations(nodes, key)
      const extra = iterations.length > 1 && (
        <Choice
          className="card-iterations nodrag"
          size="xs"
          aria-label={`Iteration of ${path}`}
          value={resolveKey(`${path}/?`, selected, nodes).slice(0, -2)}
          options={iterations.map(i => ({ value: `${key}[${i}]`, label: `${i}` }))}
          onChange={frame => frame && onSelect(findFirst(graph, path, frame))}
        />
      )
      return { title, status, extra }
    },
    [graph, nodeAt, nodes, selected, onSelect],
  )
  const passageOf = useCallback(
    ({ from, to, port }: Graph['edges'][number]): Passage => {
      const source = nodeAt(from)
      // The port of an ended node may be recorded later. Until then, the default port is assumed.
      const exitPort = source?.port ?? (source && ENDED.has(source.status) ? DEFAULT_PORT : undefined)
      if (exitPort === undefined) return source?.status === 'skipped' ? 'not' : 'open'
      return exitPort === port && nodeAt(to)?.status !== 'skipped' ? 'taken' : 'not'
    },
    [nodeAt],
  )
  const select = useCallback((path: string) => onSelect(resolveKey(path, selected, nodes)), [onSelect, selected, nodes])
  const focus = nodes.filter(({ status }) => status === 'running' || status === 'waiting' || status === 'failed')
  return (
    <GraphView
      graph={graph}
      selected={selected && getNodePath(selected)}
      onSelect={select}
      stateOf={stateOf}
      passageOf={passageOf}
      focus={focus.map(({ key }) => getNodePath(key))}
    />
  )
}

/** Returns the key of the first node in an iteration, in body order. */
function findFirst(graph: Graph, path: string, frame: string): string {
  let nodes = graph.nodes
  for (const id of path.split('/')) nodes = nodes.find(node => node.id === id)?.body?.nodes ?? []
  const [first] = nodes
  return first ? `${frame}/${first.id}` : frame
}
