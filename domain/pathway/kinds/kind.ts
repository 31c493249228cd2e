import type { JsonObject, JsonSchema, JsonValue } from '../../json.ts'
import { DEFAULT_PORT, type NodeType, type PathwayNode } from '../definition.ts'
import type { Asking } from '../engine/commands.ts'

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
  | { type: 'ask'; asking: Asking }
  | { type: 'wait'; until?: string; event?: string }
  | { type: 'map'; items: JsonValue[] }
  | { type: 'loop' }

/**
 * One node type: its shape, its ports, what it reads and how it begins. Adding a type costs such a file and a line in
 * `index.ts` (and an activity, when it has an effect).
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
