import { useMemo } from 'react'
import { Status } from '../parts/status.tsx'
import { WindowList } from '../parts/window-list.tsx'
import { toDuration, useNow } from '../parts/when.tsx'
import { type RunNode, toSpan } from './times.ts'

interface NodeTableProps {
  nodes: RunNode[]
  selected: string | undefined
  onSelect: (key: string) => void
}

const ROW = 44
/** What needs a look comes first. */
const ORDER = ['failed', 'waiting', 'running', 'completed', 'compensated', 'cancelled', 'skipped']

/** The nodes as a list, failed ones first. */
export function NodeTable({ nodes, selected, onSelect }: NodeTableProps) {
  const now = useNow()
  const sorted = useMemo(() => nodes.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status)), [nodes])
  return (
    <WindowList items={sorted} rowHeight={ROW} keyOf={({ key }) => key} label="Nodes, failed ones first">
      {node => {
        const { from, to } = toSpan(node, now)
        return (
          <button
            type="button"
            className="plain-button timeline-row node-row"
            aria-pressed={node.key === selected}
            onClick={() => onSelect(node.key)}
          >
            <Status status={node.status} />
            <span className="node-name">
              {node.title ?? node.node_id} <span className="item-key">{node.key}</span>
            </span>
            <span className="node-type">{node.node_type}</span>
            <span className="timeline-time">
              {node.attempt !== undefined && node.attempt > 1 && `attempt ${node.attempt}, `}
              {toDuration(to - from)}
            </span>
          </button>
        )
      }}
    </WindowList>
  )
}
