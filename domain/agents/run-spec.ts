import type { JsonObject, JsonSchema } from '../shared/json/json.ts'
import type { ToolSpec } from '../tools/tool-spec.ts'
import type { ApprovalRule } from './approval.ts'

/** A tool that a run may call. */
export interface RunTool extends ToolSpec {
  /** Name of the tool for the model, unique in the run. */
  alias: string
  /** The rules of the neuron for the tool. Without one, a call that writes requires approval if the run is untrusted. */
  approval: ApprovalRule[]
  /** Arguments that the neuron sets. `parameters` are those of the model. */
  fixed?: JsonObject
}

export interface RunSkill {
  slug: string
  id: string
  version: number
  title: string
  description: string
}

/** The neuron of a run, pinned at one version. */
export interface PinnedNeuron {
  id: string
  slug: string
  version: number
  title: string
}

/** Specification of a run of a neuron, pinned when the run was accepted. */
export interface NeuronRunSpec {
  neuron: PinnedNeuron
  neuron_type: 'completion' | 'agent' | 'extraction' | 'router'
  model?: string
  /** Instructions with all values filled in. */
  instructions: string
  /** JSON Schema of the answer. */
  output_schema?: JsonSchema
  tools: RunTool[]
  skills: RunSkill[]
  memory: { recollect: boolean; messages: number }
  temperature?: number
  max_output_tokens?: number
  /** Hosts that its tools may call; any if absent. */
  allowed_hosts?: string[]
  /** Marks the data in its prompts. */
  boundary: string
}

/** Limits at which a run ends or requests approval. */
export interface RunLimits {
  /** Maximum number of calls of the model before the final one. */
  max_steps: number
  budget_usd: number | null
}

/** The turn of a thread that a run answers. */
export interface TraceTurn {
  trace_id: string
  turn: number
}
