import type { JobRef } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { LoopAnswer } from '../../domain/agents/loop.ts'
import type { PinnedNeuron, RunLimits, TraceTurn } from '../../domain/agents/run-spec.ts'

export const NEURON_WORKFLOW = 'neuron'

/** The input of a run of a neuron. Its instructions and tools are in Postgres, pinned under its job. */
export interface NeuronRunInput {
  job: JobRef
  /** The parent's node or call that started it. Set on a child run. */
  parent_key?: string
  neuron: PinnedNeuron
  trace: TraceTurn
  limits: RunLimits
  requester: string
  /** Who answers the questions of the neuron: the visitor whose message it answers. Absent: everyone may. */
  asks?: string[]
}

/** The result of a run and of its job. */
export interface NeuronResult {
  output: string
  data?: JsonValue
  finish_reason: LoopAnswer['finish_reason']
  trace_id: string
  usage: Usage
}
