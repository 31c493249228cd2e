import type { JsonObject, JsonSchema, JsonValue, Problem } from '../../json.ts'
import { DEFAULT_PORT, type NodeType, type PathwayNode } from '../definition.ts'
import type { InterventionRequest } from '../engine/commands.ts'

/** A value of the definition that holds expressions: a template (`${…}` in strings) or one bare CEL expression. */
export type Reading =
  { at: string; template: JsonValue } | { at: string; expression: string; names?: readonly string[] }

/** What a node sees when its turn has come. */
export interface Turn {
  /** Evaluates the reading declared at this pointer. Throws ExpressionError. */
  read(at: string): JsonValue
  /** Time of the event that made it run, ISO 8601. */
  at: string
  requester: string
  /** Ids of the nodes whose edges led here. */
  arrived: string[]
}

/** How a node begins: it is over at once, or the workflow has to do something. */
export type Begin =
  | { type: 'done'; port?: string; output: JsonValue }
  | { type: 'failed'; code: string; message: string }
  | { type: 'run'; with: JsonObject }
  | { type: 'child'; input: JsonValue }
  | { type: 'ask'; request: InterventionRequest }
  | { type: 'wait'; until?: string; event?: string }
  | { type: 'map'; items: JsonValue[] }
  | { type: 'loop' }

/** How an activity carries a node out. */
export interface NodeEffect<N extends PathwayNode> {
  /** Time limit of one attempt where the node sets none. */
  defaultTimeoutMs: number
  /** Whether an attempt that was cut off may have changed something outside. */
  mayHaveSideEffects(node: N): boolean
  /** Whether it runs inside the workflow task, as a local activity. */
  isLocal?(node: N): boolean
  /** Whether it may compensate another node. */
  canCompensate?(node: N): boolean
}

/**
 * All that is known of one node type. Adding a type costs such a file and a line in `index.ts` (and an activity, when it
 * has an effect).
 */
export interface NodeKind<N extends PathwayNode = PathwayNode> {
  type: N['type']
  /** JSON Schema properties beside those every node has, and which of them are required. */
  properties: Record<string, JsonSchema>
  required: string[]
  /** Which of the common properties make sense here. */
  allows: { timeout?: boolean; retry?: boolean; compensate?: boolean }
  /** Ports it can leave by, beside `error` and `timeout`. */
  ports(node: N): string[]
  readings(node: N): Reading[]
  begin(node: N, turn: Turn): Begin
  /** Present where an activity carries the node out; it also tells when the node begins and ends. */
  effect?: NodeEffect<N>
  /** Whether the node is a run of its own. */
  isChildRun?(node: N): boolean
  /** Problems that the schema cannot express. Pointers begin with `at`; `incoming` counts the edges to the node. */
  problems?(node: N, place: { at: string; incoming: number }): Problem[]
}

/** Keeps the node's type while a kind is written, and widens it for the registry. */
export function defineKind<T extends NodeType>(kind: NodeKind<Extract<PathwayNode, { type: T }>>): NodeKind {
  return kind
}

export const onlyDefault = (): string[] => [DEFAULT_PORT]

export const DURATION: JsonSchema = { type: 'string', format: 'iso-duration' }
export const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 100_000 }
export const LINE: JsonSchema = { type: 'string', minLength: 1, maxLength: 500 }
export const PORT: JsonSchema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }
