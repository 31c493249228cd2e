import type { JsonSchema } from '../json.ts'

export const TOOL_SOURCES = ['builtin', 'openapi', 'mcp', 'pathway', 'neuron'] as const
export type ToolSource = (typeof TOOL_SOURCES)[number]

/**
 * What a call does to the world: nothing; something that a second call does not add to; or something that it may, so
 * that its repetition has to be told from a second order.
 */
export type ToolEffect = (typeof TOOL_EFFECTS)[number]
export const TOOL_EFFECTS = ['read', 'idempotent', 'write'] as const

/** A tool as a neuron, a node or a person may call it. */
export interface ToolSpec {
  /** Letters, digits, _ and -, at most 64; unique among the tools of its reflex. */
  name: string
  description: string
  /** JSON Schema of the arguments, which are an object. */
  parameters: JsonSchema
  effect: ToolEffect
  source: ToolSource
  /** The reflex it belongs to, at the version that holds it. */
  reflex: { id: string; slug: string; version: number }
  /** What is run: the pathway or neuron, by slug or id, with `@version` where one is meant. */
  target?: string
}

/** What a job that lists the tools of a reflex has found. */
export interface DiscoverResult {
  reflex_id: string
  /** The one that holds the tools; the same as before where nothing has changed. */
  version: number
  tools: number
}
