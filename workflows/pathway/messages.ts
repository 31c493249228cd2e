import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { PinnedNeuron, TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathway/definition.ts'

export const PATHWAY_WORKFLOW = 'pathway'

/** Everything a run needs, pinned at its start. */
export interface PathwayRunInput {
  job: JobRef
  /** Set on a child run: the node of the parent that started it. */
  parent_key?: string
  pathway: { id: string | null; slug: string; version: number | null; title: string }
  definition: PathwayDefinition
  /** Every pathway the definition refers to, directly or not, by its `ref` text. */
  subflows: Record<string, PinnedPathway>
  /** Every neuron that they refer to, by its `ref` text. */
  neurons?: Record<string, PinnedNeuron>
  input: JsonValue
  /** The turn of a thread that it answers. */
  trace?: TraceTurn
  requester: string
}
