import type { JobRef, Usage } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { LoopAnswer } from '../../domain/neurons/loop.ts'
import type { PinnedNeuron, RunLimits, TraceTurn } from '../../domain/neurons/run-spec.ts'

export const NEURON_WORKFLOW = 'neuron'

/** A run of a neuron. What it goes by in detail is in Postgres, pinned under its job. */
export interface NeuronRunInput {
  job: JobRef
  /** Set on a child run: the node or the call that started it. */
  parent_key?: string
  neuron: PinnedNeuron
  trace: TraceTurn
  limits: RunLimits
  requester: string
}

/** What a run gives, and its job's `result`. */
export interface NeuronResult {
  output: string
  data?: JsonValue
  finish_reason: LoopAnswer['finish_reason']
  trace_id: string
  usage: Usage
}
