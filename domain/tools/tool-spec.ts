import type { JsonSchema } from '../shared/json/json.ts'

export const TOOL_SOURCES = ['builtin', 'openapi', 'mcp', 'pathway', 'neuron'] as const
export type ToolSource = (typeof TOOL_SOURCES)[number]

/**
 * Effect of a call: none, an idempotent change, or a change that a repeated call may add again. A retried `write`
 * must be distinguishable from a second call.
 */
export type ToolEffect = (typeof TOOL_EFFECTS)[number]
export const TOOL_EFFECTS = ['read', 'idempotent', 'write'] as const

/** A tool that an agent, a node or a person can call. */
export interface ToolSpec {
  /** Letters, digits, _ and -, at most 64; unique within its tool collection. */
  name: string
  description: string
  /** JSON Schema of the arguments object. */
  parameters: JsonSchema
  effect: ToolEffect
  /** Whether a call usually takes less than half a second. Only for tools without side effects. */
  is_short?: true
  source: ToolSource
  /** The tool's collection, at the version that contains the tool. */
  reflex: { id: string; slug: string; version: number }
  /** Slug or id of the workflow or agent that the tool runs, optionally with `@version`. */
  target?: string
}

/** Returns whether a call is short and changes nothing, so that it can be made and retried within a workflow task. */
export const isShort = ({ effect, is_short }: Pick<ToolSpec, 'effect' | 'is_short'>): boolean =>
  effect === 'read' && is_short === true

/** Result of a `discover` job, which lists the tools of a tool collection. */
export interface DiscoverResult {
  reflex_id: string
  /** Version that contains the tools. The previous version if nothing changed. */
  version: number
  tools: number
}
