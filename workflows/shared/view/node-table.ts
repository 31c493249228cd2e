import { formatMoment } from '../../../domain/runs/diagnosis/sentences.ts'
import type { NodeError, NodeMilestone, NodeStatus } from '../../../domain/runs/nodes.ts'
import { escapeMarkdown } from '../markdown.ts'

const MARK: Record<NodeStatus, string> = {
  running: '▶',
  waiting: '…',
  completed: '✔',
  failed: '✖',
  skipped: '·',
  cancelled: '⊘',
  compensated: '↩',
}
/** Statuses that need attention, in order. Nodes with other statuses follow. */
const URGENT: NodeStatus[] = ['failed', 'waiting', 'running']
const MAX_URGENT_LINES = 40
/** Maximum number of rows for failed nodes in maps. A map's own row counts all failed items. */
const MAX_FAILED_ITEMS = 10
const MAX_LINES = 60
const MAX_KEY_CHARS = 120

/** Progress of a `map` in the outermost graph. */
export interface MapProgress {
  done: number
  total: number
}

export interface NodeDetails {
  /** Sorted by their last change. */
  nodes: NodeMilestone[]
  /** First failed attempt of nodes that are being retried, by key. */
  retries: ReadonlyMap<string, NodeError>
  /** Progress by node key. Finished nodes inside a map's items are not shown. */
  maps: ReadonlyMap<string, MapProgress>
  /** Returns the person who decided a task. */
  findDecider(key: string): string | undefined
}

/** Renders the nodes of a run as a Markdown table, problems first. */
export function renderNodes(details: NodeDetails): string {
  const { nodes } = details
  const failedItems = nodes.filter(({ status, key }) => status === 'failed' && isInMap(key, details))
  const hidden = new Set(failedItems.slice(0, -MAX_FAILED_ITEMS))
  const urgent = URGENT.flatMap(status => nodes.filter(node => node.status === status && !hidden.has(node)))
  const finished = nodes.filter(({ status, key }) => !URGENT.includes(status) && !isInMap(key, details))
  const shownUrgent = urgent.slice(0, MAX_URGENT_LINES)
  const visibleNodes = [...shownUrgent, ...finished.slice(shownUrgent.length - MAX_LINES)]
  const hiddenCount = urgent.length + finished.length - visibleNodes.length
  return [
    '| | node | status | since (UTC) |',
    '|---|---|---|---|',
    ...visibleNodes.map(node => renderNode(node, details)),
    ...(hiddenCount > 0 ? [`| | | *${hiddenCount} more* | |`] : []),
  ].join('\n')
}

const isInMap = (key: string, { maps }: NodeDetails): boolean => maps.has(key.slice(0, Math.max(0, key.indexOf('['))))

function renderNode(node: NodeMilestone, details: NodeDetails): string {
  const { key, node_type, status, at, title } = node
  const name = title ? ` ${escapeMarkdown(title)}` : ''
  const description = [status, ...describeNode(node, details)].join(', ')
  return `| ${MARK[status]} | ${quoteKey(key)}${name} *${node_type}* | ${description} | ${formatMoment(at)} |`
}

function* describeNode(
  { key, node_type, status, port, error }: NodeMilestone,
  details: NodeDetails,
): Generator<string> {
  if (error) yield describeError(error)
  const retried = details.retries.get(key)
  if (status === 'running' && retried) yield `attempt 2 after ${describeError(retried)}`
  const decider = node_type === 'human' && status === 'completed' && details.findDecider(key)
  if (port && port !== 'default') yield `→ ${port}${decider ? ` by ${escapeMarkdown(decider)}` : ''}`
  const map = details.maps.get(key)
  if (map) yield describeMap(key, map, details.nodes)
}

const describeError = ({ code, message }: NodeError): string => `\`${code}\` ${escapeMarkdown(message).slice(0, 120)}`

function describeMap(key: string, { done, total }: MapProgress, nodes: NodeMilestone[]): string {
  const items = nodes
    .filter(node => node.status === 'failed' && node.key.startsWith(`${key}[`))
    .map(node => node.key.slice(0, node.key.indexOf(']')))
  const failed = new Set(items).size
  return `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} done${failed > 0 ? `, ${failed} failed` : ''}`
}

/** Returns the key as code. Long keys are truncated at the start. */
export const quoteKey = (key: string): string => `\`${key.slice(-MAX_KEY_CHARS)}\``
