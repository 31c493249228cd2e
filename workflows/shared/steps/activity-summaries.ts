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

/** Nodes that a summary names; more are counted. */
const MAX_KEYS = 2
/** The server refuses summaries of more than 400 bytes. */
const MAX_SUMMARY_BYTES = 380

type Projections = PathwayProjections & NeuronProjections
type Describe = { [Type in keyof Projections]?: (input: Parameters<Projections[Type]>[0]) => string[] }

/** What the local activities of a run write. */
const DESCRIBE: Describe = {
  record: describeRecord,
  finish: ({ outcome, error }: FinishInput) => [outcome, ...(error ? [error.code] : [])],
  openChild: ({ parent_key }) => [parent_key],
  openNeuron: ({ parent_key }) => [parent_key],
  openCall: ({ key }) => [key],
  reply: ({ step, call, is_error }) => [buildCallKey(step, call), ...(is_error ? ['error'] : [])],
  findEnding: () => ['is the end written?'],
  findPreviousOpenRun: ({ trace }) => [`turn ${trace.turn}: the run before`],
  findNextOpenRun: ({ trace }) => [`turn ${trace.turn}: the run after`],
}

/**
 * Returns the text beside an activity in the Temporal UI: its summary, or what it writes, and the answers that it
 * publishes.
 */
export function summarizeActivity(type: string, [input]: unknown[], summary: string | undefined): string | undefined {
  const describe = DESCRIBE[type as keyof Projections] as ((of: unknown) => string[]) | undefined
  const update = (input as Partial<StepInput> | undefined)?.run_update
  const details = describe?.(input) ?? [summary]
  const parts = [...details, ...describeAnswers(update?.interventions)].filter(Boolean)
  return parts.length > 0 ? cutToBytes(parts.join(', ')) : undefined
}

/** Leaves out what activities have published before. */
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

/** The server refuses longer ids. */
const MAX_ID_CHARS = 900

/**
 * The ids of a run's activities, as the Temporal UI shows them: the node key, and `credit#2` for the second activity of
 * one key. Runs of former versions keep the numbers of the SDK, because a replay compares ids.
 */
class ActivityIds {
  private readonly used = new Map<string, number>()

  /** Returns the id of the next activity of a key. */
  next(key: string): string | undefined {
    if (workflowInfo().typedSearchAttributes.get(REQUESTER) === undefined) return undefined
    const name = key.slice(0, MAX_ID_CHARS)
    const count = (this.used.get(name) ?? 0) + 1
    this.used.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  }
}

export const getActivityIds = perRun(() => new ActivityIds())
