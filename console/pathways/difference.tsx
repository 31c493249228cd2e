import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { GraphView } from '../graph/graph-view.tsx'
import type { Passage } from '../graph/routed-edge.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { LongJson } from '../parts/long-json.tsx'
import { toCount } from '../parts/names.ts'
import { Status } from '../parts/status.tsx'
import { type Change, compareDefinitions, toEdgeName } from './compare.ts'
import { findNode } from './find-node.ts'
import { useDifferenceQuery, usePathwayQuery } from './queries.ts'

interface DifferenceProps {
  pathwayId: string
  /** The earlier version. */
  from: number
  to: number
}

const PASSAGES: Partial<Record<Change, Passage>> = { added: 'taken', removed: 'gone' }

/** What changed between two versions: drawn on the graph of both, and as JSON Patch. */
export default function Difference({ pathwayId, from, to }: DifferenceProps) {
  const before = useQuery(usePathwayQuery(pathwayId, from))
  const after = useQuery(usePathwayQuery(pathwayId, to))
  const difference = useQuery(useDifferenceQuery(pathwayId, from, to))
  const error = before.error ?? after.error ?? difference.error
  if (error) return <Failure error={error} />
  if (!before.data || !after.data || !difference.data) return <Loading />
  return (
    <>
      <Drawn before={before.data.definition} after={after.data.definition} />
      <section className="pane run-box" aria-label="Changes as JSON">
        <h2>{toCount(difference.data.ops.length, 'change')} as JSON Patch</h2>
        <LongJson value={difference.data.ops} name={`${pathwayId}-${from}-${to}`} />
      </section>
    </>
  )
}

function Drawn({ before, after }: { before: unknown; after: unknown }) {
  const [chosen, setChosen] = useState<string>()
  const { graph, nodes, edges } = useMemo(() => compareDefinitions(before, after), [before, after])
  const statusOf = useCallback((path: string) => nodes.get(path), [nodes])
  const passageOf = useCallback(
    (edge: { from: string; to: string; port: string }) => PASSAGES[edges.get(toEdgeName(edge)) ?? 'changed'] ?? 'open',
    [edges],
  )
  const list = [...nodes, ...edges.entries().map(([name, change]) => [`edge ${name}`, change] as const)]
  return (
    <div className="run-nodes" data-chosen>
      <section className="pane run-view" aria-label="Graph of both versions">
        <div className="graph">
          <GraphView
            graph={graph}
            selected={chosen}
            onSelect={setChosen}
            statusOf={statusOf}
            passageOf={passageOf}
            focus={[...nodes.keys()]}
          />
        </div>
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
