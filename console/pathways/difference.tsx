import { useCallback, useMemo, useState } from 'react'
import type { Graph } from '../graph/graph.ts'
import { GraphView } from '../graph/graph-view.tsx'
import type { Passage } from '../graph/routed-edge.tsx'
import { Box } from '../parts/box.tsx'
import { LongJson } from '../parts/long-json.tsx'
import { toCount } from '../parts/names.ts'
import { Read } from '../parts/read.tsx'
import { Status } from '../parts/status.tsx'
import { useRead } from '../service/use-service.ts'
import { type Change, compareDefinitions, toEdgeName } from './compare.ts'
import { findNode } from './find-node.ts'

interface DifferenceProps {
  pathwayId: string
  /** The earlier version. */
  from: number
  to: number
}

const PASSAGES: Partial<Record<Change, Passage>> = { added: 'taken', removed: 'gone' }

/** What changed between two versions: drawn on the graph of both, and as JSON Patch. */
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
          <Box title={`${toCount(ops.length, 'change')} as JSON Patch`} label="Changes as JSON">
            <LongJson value={ops} name={`${pathwayId}-${from}-${to}`} />
          </Box>
        </>
      )}
    </Read>
  )
}

function Drawn({ before, after }: { before: unknown; after: unknown }) {
  const [chosen, setChosen] = useState<string>()
  const { graph, nodes, edges } = useMemo(() => compareDefinitions(before, after), [before, after])
  const stateOf = useCallback((path: string) => ({ status: nodes.get(path) }), [nodes])
  const passageOf = useCallback(
    (edge: Graph['edges'][number]) => PASSAGES[edges.get(toEdgeName(edge)) ?? 'changed'] ?? 'open',
    [edges],
  )
  const list = [...nodes, ...edges.entries().map(([name, change]) => [`edge ${name}`, change] as const)]
  return (
    <div className="run-nodes" data-chosen>
      <section className="pane run-view" aria-label="Graph of both versions">
        <GraphView
          graph={graph}
          selected={chosen}
          onSelect={setChosen}
          stateOf={stateOf}
          passageOf={passageOf}
          focus={[...nodes.keys()]}
        />
      </section>
      <section className="pane run-panel" aria-label="What changed">
        {chosen === undefined ? (
          <ul className="plain-list">
            {list.length === 0 && <li>No node and no edge changed.</li>}
            {list.map(([name, change]) => (
              <li key={name}>
                <Status status={change} /> {name}
              </li>
            ))}
          </ul>
        ) : (
          <>
            <Side title="Before" node={findNode(before, chosen)} />
            <Side title="After" node={findNode(after, chosen)} />
          </>
        )}
      </section>
    </div>
  )
}

const Side = ({ title, node }: { title: string; node: object | undefined }) => (
  <>
    <h2>{title}</h2>
    {node ? <LongJson value={node} name={title} /> : <p className="item-note">There is no such node.</p>}
  </>
)
