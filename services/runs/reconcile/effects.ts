import type { JobSummary, RunDefinition } from '../../../data/runs/jobs-store.ts'
import type { NodeState } from '../../../data/runs/reconcile-store.ts'
import type { Body, PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import { getNodeKind } from '../../../domain/pathways/kinds/index.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { PendingCall, RunRecord } from './read-run.ts'
import type { EffectInDoubt } from './report.ts'

type CallType = 'http' | 'tool' | 'model'

/** The activities that call other systems. */
const CALLS: Partial<Record<string, CallType>> = {
  http: 'http',
  tool: 'tool',
  call: 'tool',
  model: 'model',
  neuron: 'model',
}
/** The node types of these activities. */
const NODE_TYPES: ReadonlySet<string> = new Set(['http', 'tool', 'model', 'neuron'])
const READS: ReadonlySet<unknown> = new Set(['GET', 'HEAD'])

interface RunSources {
  job_id: string
  workspace: string | null
  /** The job. Absent if Postgres does not have the job. */
  job?: JobSummary
  /** The nodes in Postgres. */
  nodes: NodeState[]
  /** The run in Temporal. Absent if Temporal does not have the run. */
  run?: RunRecord
  /** The job's definition, if data was lost. */
  definition?: RunDefinition
  /** Whether data was lost, so that open runs may have had effects that nothing records. */
  hasLostPeriod?: boolean
}

/** Lists the calls of one run that may have been executed without a recorded outcome. */
export function listEffects(sources: RunSources): EffectInDoubt[] {
  const { job, run, hasLostPeriod } = sources
  const effects = run ? listOpenCalls(sources, run) : listAbandonedCalls(sources)
  // A job without a run may still be started, unless Temporal has lost the run.
  if (!hasLostPeriod || (!run && job?.status !== 'pending')) return effects
  const isListed = new Set(effects.map(({ key }) => key))
  return [...effects, ...listPossibleEffects(sources).filter(({ key }) => !isListed.has(key))]
}

/** Lists the calls that the run repeats. */
function listOpenCalls(sources: RunSources, run: RunRecord): EffectInDoubt[] {
  const recorded = new Map(sources.nodes.map(node => [node.key, node]))
  const isPending = new Set(run.pending.map(({ key }) => key))
  const pending = run.pending.flatMap((call): EffectInDoubt[] => {
    const type = CALLS[call.type]
    if (!type || !call.isStarted || isRead(call)) return []
    // A tool call of an agent that has a result is not repeated.
    const hasResult = call.type === 'call' && recorded.get(call.key)?.status === 'completed'
    const sent_again = call.isRetried && !hasResult ? 'yes' : 'no'
    return [{ ...describeCall(sources, call, type), reason: 'in_progress', sent_again }]
  })
  if (!run.isComplete || !run.isReadable) return pending
  const ahead = sources.nodes.filter(
    ({ key, status, node_type, is_inherited, sent: request }) =>
      status === 'completed' &&
      NODE_TYPES.has(node_type) &&
      !is_inherited &&
      !READS.has(request?.method) &&
      !isPending.has(key) &&
      !run.completed.has(key),
  )
  return [...pending, ...ahead.map(node => describeNode(sources, node, 'not_in_temporal', 'yes'))]
}

/** Lists the unfinished calls of a job whose run is gone. */
const listAbandonedCalls = (sources: RunSources): EffectInDoubt[] =>
  sources.nodes
    .filter(
      ({ status, node_type, sent: request }) =>
        status === 'running' && NODE_TYPES.has(node_type) && !READS.has(request?.method),
    )
    .map(node => describeNode(sources, node, 'in_progress', 'no'))

/** Lists the effects that an open run may have had in the lost period. */
function listPossibleEffects(sources: RunSources): EffectInDoubt[] {
  const { job, definition, run } = sources
  const waiting = (run?.pending ?? []).flatMap((call): EffectInDoubt[] => {
    const type = CALLS[call.type]
    if (!type || isRead(call)) return []
    return [{ ...describeCall(sources, call, type), reason: 'in_lost_period', sent_again: 'yes' }]
  })
  if (job?.kind === 'neuron' || job?.kind === 'tool') {
    const target = job.kind === 'neuron' ? job.title : null
    return [...waiting, possible(sources, { key: '*', type: job.kind === 'neuron' ? 'agent' : 'tool', target })]
  }
  if (!definition) return waiting
  const ended = new Set(sources.nodes.filter(({ status }) => isEnded(status)).map(({ key }) => key))
  return [...waiting, ...listPossibleNodes(sources, definition.definition as unknown as PathwayDefinition, '', ended)]
}

const isEnded = (status: NodeState['status']): boolean => status !== 'running' && status !== 'waiting'

function listPossibleNodes(
  sources: RunSources,
  { nodes }: Body,
  prefix: string,
  ended: ReadonlySet<string>,
): EffectInDoubt[] {
  return nodes.flatMap((node): EffectInDoubt[] => {
    const key = `${prefix}${node.id}`
    if (ended.has(key)) return []
    if ('body' in node) return listPossibleNodes(sources, node.body, `${key}[*]/`, ended)
    const type = findEffectType(node)
    return type ? [possible(sources, { key, type, target: describeTarget(node) })] : []
  })
}

function findEffectType(node: PathwayNode): EffectInDoubt['type'] | undefined {
  if (getNodeKind(node.type).isChildRun?.(node) || node.type === 'pathway') return 'child_run'
  if (node.type === 'neuron') return 'model'
  if (node.type !== 'http' && node.type !== 'tool') return undefined
  return getNodeKind(node.type).effect?.mayHaveSideEffects(node) ? node.type : undefined
}

function describeTarget(node: PathwayNode): string | null {
  if (node.type === 'http') return describeRequest(node.with)
  if (node.type === 'tool') return `${node.with.reflex}/${node.with.name}`
  return 'ref' in node && node.ref !== undefined ? node.ref : null
}

const possible = (
  { workspace, job_id }: RunSources,
  effect: Pick<EffectInDoubt, 'key' | 'type' | 'target'>,
): EffectInDoubt => ({
  workspace,
  job_id,
  ...effect,
  idempotency_key: hasKey(effect.type) ? `${job_id}:${effect.key}` : null,
  reason: 'in_lost_period',
  sent_again: 'possibly',
})

function describeCall(
  { workspace, job_id }: RunSources,
  { key, input }: PendingCall,
  type: CallType,
): Omit<EffectInDoubt, 'reason' | 'sent_again'> {
  const target = describeInput(type, input)
  return { workspace, job_id, key, type, target, idempotency_key: hasKey(type) ? `${job_id}:${key}` : null }
}

function describeInput(type: CallType, input: PendingCall['input']): string | null {
  if (!input) return null
  if (type === 'http') return describeRequest(input.with)
  const { reflex, name } = input.with
  return typeof reflex === 'string' && typeof name === 'string' ? `${reflex}/${name}` : input.node.id
}

function describeNode(
  { workspace, job_id }: RunSources,
  { key, node_id, node_type, sent: request }: NodeState,
  reason: EffectInDoubt['reason'],
  sent_again: EffectInDoubt['sent_again'],
): EffectInDoubt {
  const type = CALLS[node_type] ?? 'model'
  const target = request ? `${request.method} ${request.origin}` : node_id
  return {
    workspace,
    job_id,
    key,
    type,
    target,
    idempotency_key: hasKey(type) ? `${job_id}:${key}` : null,
    reason,
    sent_again,
  }
}

const hasKey = (type: EffectInDoubt['type']): boolean => type === 'http' || type === 'tool'

const isRead = ({ type, input }: PendingCall): boolean =>
  type === 'http' && input !== undefined && READS.has(input.with['method'] ?? 'GET')

/** Returns the method and URL. The query is left out, because it may contain personal data. */
function describeRequest({ method = 'GET', url }: JsonObject): string {
  const address = typeof url === 'string' ? url : ''
  return `${typeof method === 'string' ? method : ''} ${address.split('?')[0]}`
}
