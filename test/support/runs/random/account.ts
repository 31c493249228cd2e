import type { ReceiptLine } from '../../../../domain/runs/nodes.ts'
import type { PathwayDefinition, PathwayNode } from '../../../../domain/pathways/definition.ts'
import type { JobDetail } from '../../../../contract/runs/job.ts'
import type { Ledger } from '../../shared/ledger.ts'

const CONTAINERS = new Set(['map', 'loop'])
const isUndoing = ({ outcome }: ReceiptLine): boolean => outcome.startsWith('compensat')

/** Describes the steps that a finished run left unaccounted for. Empty if every step is accounted for. */
export function unaccounted(job: JobDetail, definition: PathwayDefinition | undefined, ledger: Ledger): string[] {
  const receipt = job.receipt ?? []
  const open = job.nodes.filter(({ status }) => status === 'running' || status === 'waiting').map(({ key }) => key)
  const problems = open.map(key => `${key} is open, though the run has ended`)
  if (job.status === 'completed')
    return [...problems, ...receipt.map(({ key }) => `${key} is in the receipt of a success`)]
  const halted = receipt.filter(line => !isUndoing(line)).map(({ key }) => key)
  const twice = halted.filter((key, i) => halted.indexOf(key) !== i)
  const cancelled = job.nodes.filter(node => node.status === 'cancelled' && !CONTAINERS.has(node.node_type))
  const missing = cancelled.filter(({ key }) => !halted.includes(key))
  return [
    ...problems,
    ...twice.map(key => `${key} is in the receipt twice`),
    ...missing.map(({ key }) => `${key} was cancelled and is not in the receipt`),
    ...(definition ? undoProblems(job, definition, ledger) : []),
  ]
}

/**
 * Each completed node with a compensation must appear in the receipt once, and its compensation count must match the
 * ledger.
 */
function undoProblems(
  { job_id, nodes, receipt = [] }: JobDetail,
  definition: PathwayDefinition,
  ledger: Ledger,
): string[] {
  const undoable = new Set(allNodes(definition.nodes).flatMap(({ id, compensate }) => (compensate ? [id] : [])))
  const doneNodes = nodes.filter(
    ({ node_id, status }) => undoable.has(node_id) && (status === 'completed' || status === 'compensated'),
  )
  const unknown = nodes.filter(
    ({ node_id, status, error }) => undoable.has(node_id) && status === 'failed' && error?.code === 'TIMEOUT',
  )
  const unmentioned = unknown.filter(
    ({ key }) => !receipt.some(line => line.key === key && line.outcome === 'in_doubt'),
  )
  const lines = receipt.filter(isUndoing)
  const problems = doneNodes.flatMap(({ key }) => {
    const count = lines.filter(line => line.key === key).length
    return count === 1 ? [] : [`${key} was done, and is undone ${count} times by the receipt`]
  })
  problems.push(...unmentioned.map(({ key }) => `${key} timed out, and is not in doubt by the receipt`))
  for (const id of undoable) {
    const compensatedCount = lines.filter(({ node_id, outcome }) => node_id === id && outcome === 'compensated').length
    const undoCount = ledger.effects.filter(({ path }) => path === `/undo/${job_id}/${id}`).length
    // A failed compensation may still have had its effect.
    if (undoCount < compensatedCount)
      problems.push(`${id} was undone ${undoCount} times outside, ${compensatedCount} times by the receipt`)
  }
  return problems
}

const allNodes = (nodes: PathwayNode[]): PathwayNode[] =>
  nodes.flatMap(node => ('body' in node ? [node, ...allNodes(node.body.nodes)] : [node]))
