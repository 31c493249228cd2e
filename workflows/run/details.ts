import type { JobStatus, NodeMilestone, NodeStatus, WaitingFor } from '../../domain/jobs.ts'
import { plain } from '../markdown.ts'

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

/** The run as Markdown for the Temporal UI: who is awaited, then node by node what happened. */
export function detailsOf(status: JobStatus, waitingFor: WaitingFor[], nodes: NodeMilestone[]): string {
  const shown = nodes.slice(-MAX_LINES)
  const left = nodes.length - shown.length
  return [
    `**${status}**`,
    ...waitingFor.slice(0, MAX_WAITING_LINES).map(asked),
    ...(waitingFor.length > MAX_WAITING_LINES ? ['\n*and others*'] : []),
    '',
    '| | node | what | since (UTC) |',
    '|---|---|---|---|',
    ...(left > 0 ? [`| | | *${left} earlier* | |`] : []),
    ...shown.map(line),
  ].join('\n')
}

function asked({ title, assignees, due_at, node_id, quorum, approvals }: WaitingFor): string {
  const who = assignees.length > 0 ? assignees.map(plain).join(', ') : 'anyone'
  const notes = [quorum > 1 && `${approvals} of ${quorum} approvals`, due_at && `due ${moment(due_at)}`].filter(Boolean)
  const more = notes.length > 0 ? ` (${notes.join(', ')})` : ''
  return `\nWaits for **${plain(who)}** at \`${node_id}\`: ${plain(title)}${more}`
}

function line({ key, node_type, status, at, port, error, title }: NodeMilestone): string {
  const what = error ? `${status}: ${plain(error.code)} ${plain(error.message).slice(0, 120)}` : status
  const way = port && port !== 'default' ? ` → ${port}` : ''
  return `| ${MARK[status]} | \`${key}\`${title ? ` ${plain(title)}` : ''} *${node_type}* | ${what}${way} | ${moment(at)} |`
}

/** `2026-01-31 12:00:00`, in UTC like all times of a run. */
const moment = (at: string): string => at.slice(0, 19).replace('T', ' ')
