import type { JobRef } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { LoopAnswer } from '../../domain/agents/loop.ts'
import type { PinnedNeuron, RunLimits, TraceTurn } from '../../domain/agents/run-spec.ts'

export const NEURON_WORKFLOW = 'neuron'

/** Input of an agent run. Its instructions and tools are in Postgres, pinned under its job. */
export interface NeuronRunInput {
  job: JobRef
  /** Set on a child run: the parent's node or call that started it. */
  parent_key?: string
  neuron: PinnedNeuron
  trace: TraceTurn
  limits: RunLimits
  requester: string
  /**
   * People who may answer the agent's questions: the visitor whose message the run answers. If absent, everyone may
   * answer.
   */
  asks?: string[]
}

/** Result of a run and of its job. */
export interface NeuronResult {
  output: string
  data?: JsonValue
  finish_reason: LoopAnswer['finish_reason']
  trace_id: string
  usage: Usage
}
