import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Right } from '../../access/rights.ts'
import type { PlacedExpression } from '../expressions/template.ts'
import { type Label, LABELS } from '../labels/labels.ts'
import type { JsonObject, JsonSchema, JsonValue, Problem } from '../../shared/json/json.ts'
import { DEFAULT_PORT, type PathwayNode } from '../definition.ts'
import type { InterventionRequest } from '../engine/commands.ts'

/** The JSON Schemas of the properties that are specific to a node type. The type of the node follows from them. */
export interface NodeFields {
  properties: Readonly<Record<string, JSONSchema>>
  required: readonly string[]
}

/** JSON instead of `unknown`, where a schema allows every value. */
type Json<T> = unknown extends T
  ? JsonValue
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [K in keyof T]: Json<T[K]> }
      : T

/** The type of an object with these fields and no others. */
export type FromFields<F extends NodeFields> = Json<
  FromSchema<{ type: 'object'; properties: F['properties']; required: F['required']; additionalProperties: false }>
>

/** A node of a type. `Own` has the fields whose type says more than their schema. */
export type NodeOf<Type extends string, F extends NodeFields, Own = unknown> = NodeBase & { type: Type } & Omit<
    FromFields<F>,
    keyof Own
  > &
  Own

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
export interface NodeEffect<N> {
  /** The permission that the run needs, by the values of `with`. Null: the effect stays inside the run, or its tool decides. */
  right: Right | null | ((values: JsonObject) => Right | null)
  /** Default time limit of one attempt. */
  defaultTimeoutMs: number
  /** Whether an interrupted attempt may have changed an external system, also without a compensation. */
  mayHaveSideEffects(node: N): boolean
  /** Whether its first attempt is a local activity, inside the workflow task. */
  isLocal?(node: N): boolean
  /** Whether it may compensate another node. */
  canCompensate?(node: N): boolean
}

interface KindBase<N extends { type: string }> {
  type: N['type']
  fields: NodeFields
  /** Common properties that the type supports. */
  allows: { timeout?: boolean; retry?: boolean; compensate?: boolean }
  /** Ports other than `error` and `timeout`. */
  ports(node: N): string[]
  bindings(node: N): Binding[]
  start(node: N, context: NodeContext): NodeStart
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

/** A node type that the engine executes. */
export interface PlainKind<N extends { type: string }> extends KindBase<N> {
  effect?: undefined
}

/** A node type that an activity executes. */
export interface EffectKind<N extends { type: string }> extends KindBase<N> {
  effect: NodeEffect<N>
}

/** A node type. Adding one takes a file, a line in `index.ts` and, for an effect, an activity. */
export type NodeKind<N extends { type: string } = PathwayNode> = PlainKind<N> | EffectKind<N>

export const onlyDefault = (): string[] => [DEFAULT_PORT]

export const DURATION = { type: 'string', format: 'iso-duration' } as const satisfies JSONSchema
export const TEXT = { type: 'string', minLength: 1, maxLength: 100_000 } as const satisfies JSONSchema
export const LINE = { type: 'string', minLength: 1, maxLength: 500 } as const satisfies JSONSchema
export const PORT = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' } as const satisfies JSONSchema
export const NODE_ID = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' } as const satisfies JSONSchema
export const EDGE = {
  type: 'object',
  properties: {
    from: NODE_ID,
    /** A port of `from`; `default` if absent. */
    on: PORT,
    to: NODE_ID,
  },
  required: ['from', 'to'],
  additionalProperties: false,
} as const
export const RETRY = {
  type: 'object',
  properties: {
    max_attempts: { type: 'integer', minimum: 1, maximum: 100 },
    initial: DURATION,
    backoff: { type: 'number', minimum: 1, maximum: 10 },
    max: DURATION,
  },
  additionalProperties: false,
} as const satisfies JSONSchema
const TRUST = {
  anyOf: [
    { const: true },
    { type: 'array', items: { enum: LABELS }, minItems: 1, uniqueItems: true, maxItems: LABELS.length },
  ],
} as const satisfies JSONSchema

/** Widens a schema of constants to JSON. */
export const toJsonSchema = (schema: JSONSchema): JsonSchema => schema as unknown as JsonSchema

/** Properties that every node type may support. */
export const COMMON = {
  id: NODE_ID,
  /** Title shown to people; the id if absent. */
  title: LINE,
  /** Sources of untrusted content that the node may use without a decision; true for all. */
  trust: TRUST,
  timeout: DURATION,
  retry: RETRY,
  /** Id of the node that compensates this one when the run is cancelled or fails later. */
  compensate: NODE_ID,
} as const satisfies NodeFields['properties']

type NodeBase = FromFields<{ properties: typeof COMMON; required: readonly ['id'] }>
