import type {
  FinishInput,
  NeuronProjections,
  PathwayProjections,
  RecordInput,
  StepInput,
} from '../../../activities/types.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { InterventionChange } from '../../../domain/people/intervention.ts'
import { buildCallKey } from '../../agents/keys.ts'
import { workflowInfo } from '@temporalio/workflow'
import { REQUESTER } from '../run/attributes.ts'
import { perRun } from '../run/per-run.ts'

/** Maximum number of nodes named in a summary. Further nodes are only counted. */
const MAX_KEYS = 2
/** The server rejects summaries above 400 bytes. */
const MAX_SUMMARY_BYTES = 380

type Projections = PathwayProjections & NeuronProjections
type Describe = { [Type in keyof Projections]?: (input: Parameters<Projections[Type]>[0]) => string[] }

/** Descriptions of what a run's local activities write. */
const DESCRIBE: Describe = {
  record: describeRecord,
  finish: ({ outcome, error }: FinishInput) => [outcome, ...(error ? [error.code] : [])],
  openChild: ({ parent_key }) => [parent_key],
  openNeuron: ({ parent_key }) => [parent_key],
  openCall: ({ key }) => [key],
  reply: ({ step, call, is_error }) => [buildCallKey(step, call), ...(is_error ? ['error'] : [])],
  findEnding: () => ['check for a written end'],
  findPreviousOpenRun: ({ trace }) => [`turn ${trace.turn}: previous run`],
  findNextOpenRun: ({ trace }) => [`turn ${trace.turn}: next run`],
}

/**
 * Returns the text next to an activity in the Temporal UI: its summary, or what it writes, and the answers that it
 * publishes.
 */
export function summarizeActivity(type: string, [input]: unknown[], summary: string | undefined): string | undefined {
  const describe = DESCRIBE[type as keyof Projections] as ((of: unknown) => string[]) | undefined
  const update = (input as Partial<StepInput> | undefined)?.run_update
  const details = describe?.(input) ?? [summary]
  const parts = [...details, ...describeAnswers(update?.interventions)].filter(Boolean)
  return parts.length > 0 ? cutToBytes(parts.join(', ')) : undefined
}

/** Omits updates that activities have already published. */
function describeRecord({ status, nodes, interventions, published }: RecordInput): string[] {
  const changes = interventions.slice(published?.interventions)
  const parts = [
    ...describeAnswers(changes),
    ...describeOpened(changes),
    ...describeNodes(nodes.slice(published?.nodes)),
  ]
  return parts.length > 0 ? parts : [status ?? 'state']
}

const describeAnswers = (changes: InterventionChange[] = []): string[] =>
  changes.flatMap(change =>
    change.change === 'answered' ? [`${change.vote.action} by ${change.vote.by} • ${change.node_key ?? 'answer'}`] : [],
  )

const describeOpened = (changes: InterventionChange[]): string[] =>
  changes.flatMap(change => (change.change === 'opened' ? [`asks • ${change.intervention.node_key}`] : []))

function describeNodes(nodes: NodeMilestone[]): string[] {
  if (nodes.length > MAX_KEYS) return [`${nodes.length} nodes`]
  return nodes.map(({ key, status }) => `${key} ${status}`)
}

function cutToBytes(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= MAX_SUMMARY_BYTES) return text
  return new TextDecoder().decode(bytes.slice(0, MAX_SUMMARY_BYTES)).replace(/\uFFFD*$/, '…')
}

/** The server rejects longer ids. */
const MAX_ID_CHARS = 900

/**
 * Ids of a run's activities as shown in the Temporal UI: the node key, or `credit#2` for the second activity of a
 * key. Runs of earlier versions keep the SDK's numbers, because replays compare ids.
 */
class ActivityIds {
  private readonly used = new Map<string, number>()

  /** Returns the id of a key's next activity. */
  next(key: string): string | undefined {
    if (workflowInfo().typedSearchAttributes.get(REQUESTER) === undefined) return undefined
    const name = key.slice(0, MAX_ID_CHARS)
    const count = (this.used.get(name) ?? 0) + 1
    this.used.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  }
}

export const getActivityIds = perRun(() => new ActivityIds())
