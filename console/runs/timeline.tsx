import type { JobDetail } from '@ganglion/client'
import { useMemo } from 'react'
import { Status } from '../parts/status.tsx'
import { WindowList } from '../parts/window-list.tsx'
import { toDuration, useNow } from '../parts/when.tsx'
import { buildScale, isWait, type RunNode, toSpan } from './times.ts'

interface TimelineProps {
  run: JobDetail
  selected: string | undefined
  onSelect: (key: string) => void
}

const ROW = 40
const SIGNS: Record<string, string> = { completed: 'good', failed: 'bad', running: 'busy', waiting: 'wait' }

/** The nodes in the order in which they began, as bars; waits are striped, and long pauses are folded. */
export function Timeline({ run, selected, onSelect }: TimelineProps) {
  const now = useNow()
  const { nodes, created_at, finished_at } = run
  const { rows, scale } = useMemo(() => {
    const rows = nodes
      .filter(({ status }) => status !== 'skipped')
      .map(node => ({ node, span: toSpan(node, now) }))
      .toSorted((a, b) => a.span.from - b.span.from)
    const to = finished_at ? Date.parse(finished_at) : now
    return { rows, scale: buildScale(nodes, Date.parse(created_at), to, now) }
  }, [nodes, created_at, finished_at, now])
  return (
    <div className="timeline">
      {scale.folds.length > 0 && (
        <p className="item-note">
          Folded: {scale.folds.map(({ ms }) => toDuration(ms)).join(', ')} in which nothing worked.
        </p>
      )}
      <WindowList items={rows} rowHeight={ROW} keyOf={({ node }) => node.key} label="Nodes in their order">
        {({ node, span }) => (
          <button
            type="button"
            className="plain-button timeline-row"
            aria-pressed={node.key === selected}
            onClick={() => onSelect(node.key)}
          >
            <span className="timeline-name">
              <Status status={node.status} /> {nameOf(node)}
            </span>
            <span className="timeline-track">
              <span
                className={isWait(node) ? 'bar bar-wait' : 'bar'}
                data-tone={SIGNS[node.status] ?? 'idle'}
                style={{
                  left: `${scale.place(span.from) * 100}%`,
                  width: `${Math.max(0.4, (scale.place(span.to) - scale.place(span.from)) * 100)}%`,
                }}
              />
            </span>
            <span className="timeline-time">{toDuration(span.to - span.from)}</span>
          </button>
        )}
      </WindowList>
    </div>
  )
}

const nameOf = ({ title, key }: RunNode) => title ?? key
