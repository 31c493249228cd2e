import type { JobDetail } from '@ganglion/client'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatAbsolute, formatDuration, Status, useNow } from '../shared/parts/inline.tsx'
import { buildScale, getSpan, isWait, type RunNode, type Span } from './times.ts'

interface NodesProps {
  run: JobDetail
  selected: string | undefined
  onSelect: (key: string) => void
}

const TONES: Record<string, string> = { completed: 'good', failed: 'bad', running: 'busy', waiting: 'wait' }

/** Nodes as bars in start order. Waits are striped, and long pauses are collapsed. */
export function Timeline({ run: { nodes, created_at, finished_at }, ...choice }: NodesProps) {
  const now = useNow(finished_at === null)
  const { rows, scale } = useMemo(() => {
    const rows = orderByTree(
      nodes.filter(({ status }) => status !== 'skipped'),
      now,
    )
    const to = finished_at ? Date.parse(finished_at) : now
    return { rows, scale: buildScale(nodes, Date.parse(created_at), to, now) }
  }, [nodes, created_at, finished_at, now])
  return (
    <div className="timeline">
      {scale.folds.length > 0 && (
        <p className="item-note">Collapsed idle time: {scale.folds.map(({ ms }) => formatDuration(ms)).join(', ')}</p>
      )}
      <div className="timeline-row timeline-axis" aria-hidden>
        <span className="timeline-name">{formatAbsolute(created_at)}</span>
        <span className="timeline-track">
          {TICKS.map(place => (
            <span key={place} className="timeline-tick" style={{ left: `${place * 100}%` }}>
              {formatDuration(scale.timeAt(place) - Date.parse(created_at))}
            </span>
          ))}
        </span>
        <span />
      </div>
      <NodeRows
        rows={rows}
        label="Nodes in start order"
        className="timeline-row"
        isOpen={finished_at === null}
        {...choice}
      >
        {(node, { from, to }) => (
          <>
            <span className="timeline-name" style={{ paddingInlineStart: `${getDepth(node.key)}rem` }}>
              {node.status !== 'completed' && <Status status={node.status} />}
              {node.title ?? node.node_id} <span className="item-key">{readIndexes(node.key)}</span>
            </span>
            <span
              className="timeline-track"
              title={`${formatAbsolute(formatTime(from))} – ${formatAbsolute(formatTime(to))}`}
            >
              <span
                className={['bar', isWait(node) && 'bar-wait', isOpen(node) && 'bar-open'].filter(Boolean).join(' ')}
                data-tone={TONES[node.status] ?? 'idle'}
                style={{
                  left: `${scale.place(from) * 100}%`,
                  // The bar of an open node extends to the end.
                  width: `${Math.max(0.4, ((isOpen(node) ? 1 : scale.place(to)) - scale.place(from)) * 100)}%`,
                }}
              />
            </span>
            <span className="timeline-time">{formatDuration(to - from)}</span>
          </>
        )}
      </NodeRows>
    </div>
  )
}

/** Axis positions with a time label. */
const TICKS = [0, 1 / 3, 2 / 3, 1]

const isOpen = ({ status }: RunNode): boolean => status === 'running' || status === 'waiting'

const formatTime = (ms: number): string => new Date(ms).toISOString()

/** Returns the number of maps and loops that enclose a node. */
const getDepth = (key: string): number => key.split('/').length - 1

/** Returns the iteration indexes of a key: `[0]` for `each[0]/fetch`. */
const readIndexes = (key: string): string => (key.match(/\[\d+\]/g) ?? []).join('')

/** Sorts nodes in start order, with each map and loop before its contents. */
function orderByTree(nodes: RunNode[], now: number): RunNode[] {
  const begun = nodes
    .map(node => ({ node, from: getSpan(node, now).from }))
    .toSorted((a, b) => a.from - b.from)
    .map(({ node }) => node)
  const children = Map.groupBy(begun, ({ key }) => key.replace(/\[\d+\]\/[^/]*$|\/[^/]*$|^[^/]*$/, ''))
  const list = (parent: string): RunNode[] =>
    (children.get(parent) ?? []).flatMap(node => [node].concat(list(node.key)))
  const keys = new Set(nodes.map(({ key }) => key))
  // The enclosing map or loop of these nodes may not be loaded yet.
  const others = [...children].flatMap(([parent, childNodes]) => (parent === '' || keys.has(parent) ? [] : childNodes))
  return [...list(''), ...others]
}

/** Statuses that need attention come first. */
const ORDER = ['failed', 'waiting', 'running', 'completed', 'compensated', 'cancelled', 'skipped']

/** The nodes as a table, with failed nodes first. */
export function NodeTable({ run: { nodes, finished_at }, ...choice }: NodesProps) {
  const rows = useMemo(() => nodes.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status)), [nodes])
  return (
    <NodeRows
      rows={rows}
      label="Nodes, failed first"
      className="timeline-row node-row"
      isOpen={finished_at === null}
      {...choice}
    >
      {({ key, node_id, node_type, title, status, attempt = 1 }, { from, to }) => (
        <>
          <Status status={status} />
          <span className="node-name">
            {title ?? node_id} <span className="item-key">{key}</span>
          </span>
          <span className="node-type">{node_type}</span>
          <span className="timeline-time">
            {attempt > 1 && `attempt ${attempt}, `}
            {formatDuration(to - from)}
          </span>
        </>
      )}
    </NodeRows>
  )
}

interface NodeRowsProps extends Omit<NodesProps, 'run'> {
  rows: RunNode[]
  isOpen: boolean
  label: string
  className: string
  children: (node: RunNode, span: Span) => ReactNode
}

/** Row height in pixels. */
const ROW = 42
/** Number of rows rendered beyond the visible area. */
const MARGIN = 8

/** Virtualized rows: only visible rows are in the document, so that a page with thousands of nodes stays fast. */
function NodeRows({ rows, isOpen, label, className, selected, onSelect, children }: NodeRowsProps) {
  const now = useNow(isOpen)
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const update = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  const first = Math.max(0, Math.floor(view.top / ROW) - MARGIN)
  const last = Math.ceil((view.top + view.height) / ROW) + MARGIN
  return (
    // A scrollable region must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className="window" tabIndex={0} role="group" aria-label={label}>
      <ul className="window-rows" style={{ height: rows.length * ROW }}>
        {rows.slice(first, last).map((node, i) => (
          <li key={node.key} style={{ height: ROW, transform: `translateY(${(first + i) * ROW}px)` }}>
            <button
              type="button"
              className={`plain-button ${className}`}
              aria-pressed={node.key === selected}
              onClick={() => onSelect(node.key)}
            >
              {children(node, getSpan(node, now))}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
