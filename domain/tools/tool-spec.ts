import type { JsonSchema } from '../shared/json/json.ts'

export const TOOL_SOURCES = ['builtin', 'openapi', 'mcp', 'pathway', 'neuron'] as const
export type ToolSource = (typeof TOOL_SOURCES)[number]

/**
 * Effect of a call: none, one that a repetition does not add to, or one that a repetition may add to. A repeated
 * `write` must be distinguishable from a second call.
 */
export type ToolEffect = (typeof TOOL_EFFECTS)[number]
export const TOOL_EFFECTS = ['read', 'idempotent', 'write'] as const

/** A tool that a neuron, a node or a person may call. */
export interface ToolSpec {
  /** Letters, digits, _ and -, at most 64; unique among the tools of its reflex. */
  name: string
  description: string
  /** JSON Schema of the arguments, which are an object. */
  parameters: JsonSchema
  effect: ToolEffect
  /** A call mostly takes less than half a second. Only for tools that change nothing. */
  is_short?: true
  source: ToolSource
  /** Reflex of the tool, at the version that contains it. */
  reflex: { id: string; slug: string; version: number }
  /** The pathway or neuron that the tool runs, by slug or id, optionally `@version`. */
  target?: string
}

/** Whether a call is short and changes nothing, so that it may be made, and repeated, within a workflow task. */
export const isShort = ({ effect, is_short }: Pick<ToolSpec, 'effect' | 'is_short'>): boolean =>
  effect === 'read' && is_short === true

/** Result of a `discover` job, which lists the tools of a reflex. */
export interface DiscoverResult {
  reflex_id: string
  /** Version that contains the tools. It is the previous one if nothing has changed. */
  version: number
  tools: number
}
