import { compareEnds, parseOpenWait } from '../../../domain/runs/diagnosis/open-waits.ts'
import {
  describeQuestion,
  describeWait,
  describeWork,
  type Marks,
  PAUSED,
} from '../../../domain/runs/diagnosis/sentences.ts'
import type { Usage } from '../../../domain/access/usage.ts'
import type { NodeError, Receipt, ReceiptLine } from '../../../domain/runs/nodes.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import { escapeMarkdown } from '../markdown.ts'
import { type NodeDetails, quoteKey, renderNodes } from './node-table.ts'

const MAX_WAITING_LINES = 20
const MAX_RECEIPT_KEYS = 10

/** The state of a run for the Temporal UI. */
export interface RunDetails extends NodeDetails {
  status: string
  /** The version that the run has moved to. Its static details name the initial version. */
  movedTo?: number | null
  waitingFor: WaitingFor[]
  usage: Usage
  /** How the run ended. */
  end?: { error?: NodeError; receipt?: Receipt }
}

/**
 * Renders a run as Markdown for the Temporal UI, most important parts first: the failure and the receipt, the
 * diagnosis, the open tasks, the cost, then the nodes. Its length is bounded.
 */
export const renderRunDetails = (run: RunDetails): string =>
  [
    renderStatus(run),
    ...(run.movedTo ? [`Moved to version ${run.movedTo}. The details name the initial version`] : []),
    ...renderCause(run),
    ...renderReceipt(run.end?.receipt),
    ...renderWaitingFor(run.waitingFor),
    ...renderCost(run.usage),
    renderNodes(run),
  ].join('\n\n')

function renderStatus({ status, end }: RunDetails): string {
  if (!end?.error) return `**${status}**`
  const { code, message, node_key } = end.error
  const place = node_key === undefined ? '' : ` at ${quoteKey(node_key)}`
  return `**${status}**${place}: \`${code}\` ${escapeMarkdown(message)}`
}

/** Receipt outcomes with their labels, most important first. */
const OUTCOMES: [ReceiptLine['outcome'], string][] = [
  ['in_doubt', 'in doubt'],
  ['compensation_failed', 'not compensated'],
  ['compensated', 'compensated'],
  ['finished_first', 'finished first'],
  ['stopped', 'stopped'],
]

function renderReceipt(receipt: Receipt = []): string[] {
  const groups = OUTCOMES.flatMap(([outcome, words]) => {
    const keys = receipt.filter(line => line.outcome === outcome).map(({ key }) => quoteKey(key))
    const more = keys.length > MAX_RECEIPT_KEYS ? ` and ${keys.length - MAX_RECEIPT_KEYS} more` : ''
    return keys.length > 0 ? [`${words} ${keys.slice(0, MAX_RECEIPT_KEYS).join(', ')}${more}`] : []
  })
  return groups.length > 0 ? [`Receipt: ${groups.join('; ')}`] : []
}

function renderWaitingFor(waitingFor: WaitingFor[]): string[] {
  const hiddenCount = waitingFor.length - MAX_WAITING_LINES
  return [
    ...waitingFor.slice(0, MAX_WAITING_LINES).map(renderWaiting),
    ...(hiddenCount > 0 ? [`*and ${hiddenCount} more*`] : []),
  ]
}

const renderWaiting = (waiting: WaitingFor): string => describeQuestion(waiting, MARKDOWN)

const MARKDOWN: Marks = { text: escapeMarkdown, strong: value => `**${value}**`, key: quoteKey }

/** Returns the diagnosis, unless the run is waiting for people: each of their tasks has its own line. */
function renderCause({ status, nodes, waitingFor }: RunDetails): string[] {
  if (status === 'paused') return [PAUSED]
  if (status !== 'running' && status !== 'waiting') return []
  const working = nodes.filter(
    node => node.status === 'running' && node.node_type !== 'map' && node.node_type !== 'loop',
  )
  if (working.length > 0)
    return [
      describeWork(
        working.map(({ key }) => key),
        MARKDOWN,
      ),
    ]
  if (waitingFor.length > 0) return []
  const waits = nodes.filter(node => node.status === 'waiting' && node.node_type === 'wait').map(parseOpenWait)
  const [first] = waits.toSorted(compareEnds)
  return first ? [describeWait(first, MARKDOWN)] : []
}

function renderCost({ input_tokens, output_tokens, usd }: Usage): string[] {
  if (input_tokens + output_tokens + usd === 0) return []
  const price = usd > 0 ? `${usd.toFixed(4)} USD, ` : ''
  return [`Cost: ${price}${formatCount(input_tokens)} tokens in, ${formatCount(output_tokens)} out`]
}

const formatCount = (count: number): string => count.toLocaleString('en-US')
