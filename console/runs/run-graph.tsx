import { NativeSelect } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { type Graph, toGraph } from '../graph/graph.ts'
import { GraphView } from '../graph/graph-view.tsx'
import type { Passage } from '../graph/routed-edge.tsx'
import { listIterations, resolveKey, toPath } from './keys.ts'
import type { RunNode } from './times.ts'

interface RunGraphProps {
  definition: unknown
  nodes: (Pick<RunNode, 'key' | 'port' | 'title'> & { status: string })[]
  selected: string | undefined
  onSelect: (key: string) => void
}

/** The pathway of a run or a dry run with the state of its nodes; of a map or a loop one iteration, which can be chosen. */
export default function RunGraph({ definition, nodes, selected, onSelect }: RunGraphProps) {
  const graph = useMemo(() => toGraph(definition), [definition])
  const byKey = useMemo(() => new Map(nodes.map(node => [node.key, node])), [nodes])
  const nodeAt = useCallback((path: string) => byKey.get(resolveKey(path, selected, nodes)), [byKey, nodes, selected])
  const titleOf = useCallback((path: string) => nodeAt(path)?.title, [nodeAt])
  const statusOf = useCallback((path: string) => nodeAt(path)?.status, [nodeAt])
  const passageOf = useCallback(
    ({ from, to, port }: { from: string; to: string; port: string }): Passage => {
      const source = nodeAt(from)
      if (!source?.port) return source?.status === 'skipped' ? 'not' : 'open'
      return source.port === port && nodeAt(to)?.status !== 'skipped' ? 'taken' : 'not'
    },
    [nodeAt],
  )
  const extraOf = useCallback(
    (path: string) => {
      const key = resolveKey(path, selected, nodes)
      const iterations = listIterations(nodes, key)
      if (iterations.length < 2) return null
      const chosen = resolveKey(`${path}/?`, selected, nodes).slice(0, -2)
      return (
        <NativeSelect
          className="card-iterations nodrag"
          size="xs"
          aria-label={`Iteration of ${path}`}
          value={chosen}
          data={iterations.map(i => ({ value: `${key}[${i}]`, label: `${i}` }))}
          onChange={event => onSelect(findFirst(graph, path, event.currentTarget.value))}
        />
      )
    },
    [graph, nodes, selected, onSelect],
  )
  const select = useCallback((path: string) => onSelect(resolveKey(path, selected, nodes)), [onSelect, selected, nodes])
  const focus = nodes.filter(({ status }) => status === 'running' || status === 'waiting' || status === 'failed')
  return (
    <div className="graph">
      <GraphView
        graph={graph}
        selected={selected && toPath(selected)}
        onSelect={select}
        titleOf={titleOf}
        statusOf={statusOf}
        passageOf={passageOf}
        extraOf={extraOf}
        focus={focus.map(({ key }) => toPath(key))}
      />
    </div>
  )
}

/** The first node of an iteration, in the order of the body. */
function findFirst(graph: Graph, path: string, frame: string): string {
  let nodes = graph.nodes
  for (const id of path.split('/')) nodes = nodes.find(node => node.id === id)?.body?.nodes ?? []
  const [first] = nodes
  return first ? `${frame}/${first.id}` : frame
}
