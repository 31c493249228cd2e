import type { JobStatus, NodeMilestone, NodeStatus, WaitingFor } from '../../domain/jobs.ts'
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
const MAX_LINES = 60
const MAX_WAITING_LINES = 20

/** Renders a run as Markdown for the Temporal UI: the open interventions, then the nodes. */
export function renderRunDetails(status: JobStatus, waitingFor: WaitingFor[], nodes: NodeMilestone[]): string {
  const shown = nodes.slice(-MAX_LINES)
  const left = nodes.length - shown.length
  return [
    `**${status}**`,
    ...waitingFor.slice(0, MAX_WAITING_LINES).map(renderWaiting),
    ...(waitingFor.length > MAX_WAITING_LINES ? ['\n*and others*'] : []),
    '',
    '| | node | what | since (UTC) |',
    '|---|---|---|---|',
    ...(left > 0 ? [`| | | *${left} earlier* | |`] : []),
    ...shown.map(renderNode),
  ].join('\n')
}

function renderWaiting({ title, assignees, due_at, node_id, quorum, approvals }: WaitingFor): string {
  const assignedTo = assignees.length > 0 ? assignees.map(escapeMarkdown).join(', ') : 'anyone'
  const notes = [quorum > 1 && `${approvals} of ${quorum} approvals`, due_at && `due ${formatMoment(due_at)}`].filter(
    Boolean,
  )
  const more = notes.length > 0 ? ` (${notes.join(', ')})` : ''
  return `\nWaits for **${escapeMarkdown(assignedTo)}** at \`${node_id}\`: ${escapeMarkdown(title)}${more}`
}

function renderNode({ key, node_type, status, at, port, error, title }: NodeMilestone): string {
  const what = error
    ? `${status}: ${escapeMarkdown(error.code)} ${escapeMarkdown(error.message).slice(0, 120)}`
    : status
  const way = port && port !== 'default' ? ` → ${port}` : ''
  return `| ${MARK[status]} | \`${key}\`${title ? ` ${escapeMarkdown(title)}` : ''} *${node_type}* | ${what}${way} | ${formatMoment(at)} |`
}

/** `2026-01-31 12:00:00`, in UTC like all times of a run. */
const formatMoment = (at: string): string => at.slice(0, 19).replace('T', ' ')
