import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { PinnedNeuron, TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathway/definition.ts'

export const PATHWAY_WORKFLOW = 'pathway'

/** The input of a run, with all definitions pinned at its start. */
export interface PathwayRunInput {
  job: JobRef
  /** The parent's node that started it. Set on a child run. */
  parent_key?: string
  pathway: { id: string | null; slug: string; version: number | null; title: string }
  definition: PathwayDefinition
  /** All pathways that the definition refers to, directly or not, by their `ref`. */
  subflows: Record<string, PinnedPathway>
  /** All neurons that the pathways refer to, by their `ref`. */
  neurons?: Record<string, PinnedNeuron>
  input: JsonValue
  /** The turn of the thread that the run answers. */
  trace?: TraceTurn
  requester: string
}

/**
 * Orders the fields for operators: the Temporal UI shows them in this order. What the run is about comes first, the
 * definitions last.
 */
export function arrangeRunInput(run: PathwayRunInput): PathwayRunInput {
  const { input, pathway, requester, definition, subflows, neurons, ...more } = run
  const { title, ...version } = pathway
  return { input, pathway: { title, ...version }, requester, ...more, neurons, subflows, definition }
}
