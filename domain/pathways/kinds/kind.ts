import type { PlacedExpression } from '../expressions/template.ts'
import type { Label } from '../labels/labels.ts'
import type { JsonObject, JsonSchema, JsonValue, Problem } from '../../shared/json/json.ts'
import { DEFAULT_PORT, type NodeType, type PathwayNode } from '../definition.ts'
import type { InterventionRequest } from '../engine/commands.ts'

/** An expression with its place in the node: a template (`${…}` in strings) or a bare CEL expression. */
export type Binding =
  { at: string; template: JsonValue } | { at: string; expression: string; names?: readonly string[] }

/** The input of `start`. */
export interface NodeContext {
  /** Evaluates the binding at this pointer. Throws ExpressionError. */
  evaluate(at: string): JsonValue
  /**
   * Evaluates the binding and marks untrusted values in its texts as data, where `isMarked` holds. Returns the boundary of
   * the marks, absent without marks. Throws ExpressionError.
   */
  evaluateMarked(
    at: string,
    isMarked: (expression: PlacedExpression) => boolean,
  ): { value: JsonValue; boundary?: string }
  /** Time of the current event, ISO 8601. */
  at: string
  requester: string
  /** Everyone behind the run. */
  people: string[]
  /** Ids of the source nodes of the edges that were taken. */
  arrived: string[]
}

/** The result of starting a node: it ends at once, or it needs a command. */
export type NodeStart =
  | { type: 'done'; port?: string; output: JsonValue }
  | { type: 'failed'; code: string; message: string }
  | { type: 'run'; with: JsonObject }
  | { type: 'child'; input: JsonValue }
  | { type: 'ask'; request: InterventionRequest }
  | { type: 'wait'; until?: string; event?: string }
  | { type: 'map'; items: JsonValue[] }
  | { type: 'loop' }

/** Properties of a node that an activity executes. */
export interface NodeEffect<N extends PathwayNode> {
  /** Default time limit of one attempt. */
  defaultTimeoutMs: number
  /** Whether an interrupted attempt may have changed an external system, also without a compensation. */
  mayHaveSideEffects(node: N): boolean
  /** Whether its first attempt is a local activity, inside the workflow task. */
  isLocal?(node: N): boolean
  /** Whether it may compensate another node. */
  canCompensate?(node: N): boolean
}

/** A node type. Adding one takes a file, a line in `index.ts` and, for an effect, an activity. */
export interface NodeKind<N extends PathwayNode = PathwayNode> {
  type: N['type']
  /** JSON Schema of the properties that are specific to the type. */
  properties: Record<string, JsonSchema>
  required: string[]
  /** Common properties that the type supports. */
  allows: { timeout?: boolean; retry?: boolean; compensate?: boolean }
  /** Ports other than `error` and `timeout`. */
  ports(node: N): string[]
  bindings(node: N): Binding[]
  start(node: N, context: NodeContext): NodeStart
  /** Present when an activity executes the node. */
  effect?: NodeEffect<N>
  /** Whether the node starts a child run. */
  isChildRun?(node: N): boolean
  /** Sources of untrusted content in its output, beside those of what its expressions read. */
  labels?(node: N): Label[]
  /** Whether its output holds nothing of what its expressions read. */
  isOpaque?: true
  /** Bindings whose values leave the run, or decide who may approve. */
  sinks?(node: N): string[]
  /** Problems that the schema cannot express. Pointers begin with `at`; `incoming` counts the edges to the node. */
  problems?(node: N, location: { at: string; incoming: number }): Problem[]
}

/** Checks a kind against its node's type and widens it for the registry. */
export function defineKind<T extends NodeType>(kind: NodeKind<Extract<PathwayNode, { type: T }>>): NodeKind {
  return kind
}

export const onlyDefault = (): string[] => [DEFAULT_PORT]

export const DURATION: JsonSchema = { type: 'string', format: 'iso-duration' }
export const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 100_000 }
export const LINE: JsonSchema = { type: 'string', minLength: 1, maxLength: 500 }
export const PORT: JsonSchema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }
