import type { JsonSchema } from '../json.ts'
import type { ToolSpec } from '../tools/tool-spec.ts'
import type { ApprovalRule } from './approval.ts'

/** A tool as a run may call it. */
export interface RunTool extends ToolSpec {
  /** What the model calls it: unique in the run. */
  alias: string
  approval: ApprovalRule
}

export interface RunSkill {
  slug: string
  id: string
  version: number
  title: string
  description: string
}

/** Which neuron runs, at which version. */
export interface PinnedNeuron {
  id: string
  slug: string
  version: number
  title: string
}

/** Everything a run of a neuron goes by, pinned when it was accepted. */
export interface NeuronRunSpec {
  neuron: PinnedNeuron
  neuron_type: 'completion' | 'agent' | 'extraction' | 'router'
  model?: string
  /** With all values filled in. */
  instructions: string
  /** JSON Schema of the answer. */
  output_schema?: JsonSchema
  tools: RunTool[]
  skills: RunSkill[]
  memory: { recollect: boolean; messages: number }
  temperature?: number
  max_output_tokens?: number
}

/** How far a run may go before it ends, or asks. */
export interface RunLimits {
  /** Calls of the model. */
  max_steps: number
  budget_usd: number | null
}

/** Where a run speaks. */
export interface TraceTurn {
  trace_id: string
  turn: number
}
