import type { JsonObject, JsonSchema } from '../shared/json/json.ts'
import type { ToolSpec } from '../tools/tool-spec.ts'
import type { ApprovalRule } from './approval.ts'

/** A tool that a run can call. */
export interface RunTool extends ToolSpec {
  /** Tool name for the model, unique within the run. */
  alias: string
  /**
   * Approval rules of the agent for the tool. Without rules, a call that writes requires approval if the run is
   * untrusted.
   */
  approval: ApprovalRule[]
  /** Arguments fixed by the agent. `parameters` covers only those that the model sets. */
  fixed?: JsonObject
}

export interface RunSkill {
  slug: string
  id: string
  version: number
  title: string
  description: string
}

/** The agent of a run, pinned to a version. */
export interface PinnedNeuron {
  id: string
  slug: string
  version: number
  title: string
}

/** Specification of an agent run, pinned when the run was accepted. */
export interface NeuronRunSpec {
  neuron: PinnedNeuron
  neuron_type: 'completion' | 'agent' | 'extraction' | 'router'
  model?: string
  /** Instructions with all values rendered. */
  instructions: string
  /** JSON Schema of the answer. */
  output_schema?: JsonSchema
  tools: RunTool[]
  skills: RunSkill[]
  memory: { recollect: boolean; messages: number }
  temperature?: number
  max_output_tokens?: number
  /** Hosts that the agent's tools may call. If absent, the tools may call any host. */
  allowed_hosts?: string[]
  /** Delimiter that encloses data in the agent's prompts. */
  boundary: string
}

/** Limits at which a run ends or requests approval. */
export interface RunLimits {
  /** Maximum number of model calls before the final one. */
  max_steps: number
  budget_usd: number | null
}

/** The thread turn that a run answers. */
export interface TraceTurn {
  trace_id: string
  turn: number
}
