import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Right } from '../../access/rights.ts'
import type { PlacedExpression } from '../expressions/template.ts'
import { type Label, LABELS } from '../labels/labels.ts'
import type { JsonObject, JsonSchema, JsonValue, Problem } from '../../shared/json/json.ts'
import { DEFAULT_PORT, type PathwayNode } from '../definition.ts'
import type { InterventionRequest } from '../engine/commands.ts'

/** JSON Schemas of the properties specific to a node type. The node's TypeScript type derives from them. */
export interface NodeFields {
  properties: Readonly<Record<string, JSONSchema>>
  required: readonly string[]
}

/** JSON instead of `unknown` where a schema allows any value. */
type Json<T> = unknown extends T
  ? JsonValue
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [K in keyof T]: Json<T[K]> }
      : T

/** The type of an object with exactly these fields. */
export type FromFields<F extends NodeFields> = Json<
  FromSchema<{ type: 'object'; properties: F['properties']; required: F['required']; additionalProperties: false }>
>

/** A node of a type. `Own` declares the fields whose type is narrower than their schema. */
export type NodeOf<Type extends string, F extends NodeFields, Own = unknown> = NodeBase & { type: Type } & Omit<
    FromFields<F>,
    keyof Own
  > &
  Own

/** An expression with its location in the node: a template (`${…}` in strings) or a bare CEL expression. */
export type Binding =
  { at: string; template: JsonValue } | { at: string; expression: string; names?: readonly string[] }

/** The input of `start`. */
export interface NodeContext {
  /** Evaluates the binding at this pointer. Throws ExpressionError. */
  evaluate(at: string): JsonValue
  /**
   * Evaluates the binding and marks untrusted values in its strings as data where `isMarked` holds. Returns the
   * boundary of the marks if anything was marked. Throws ExpressionError.
   */
  evaluateMarked(
    at: string,
    isMarked: (expression: PlacedExpression) => boolean,
  ): { value: JsonValue; boundary?: string }
  /** Time of the current event (ISO 8601). */
  at: string
  requester: string
  /** Everyone behind the run. */
  people: string[]
  /** Whether everyone may answer a task whose assignees evaluate to no one. */
  allowsNoAssignees: boolean
  /** Source node ids of the edges taken. */
  arrived: string[]
}

/** Result of starting a node: it ends immediately, or it needs a command. */
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
  /**
   * The permission that the run needs for the evaluated `with`. Null if the effect stays inside the run, or if the
   * called tool determines the permission.
   */
  right: Right | null | ((values: JsonObject) => Right | null)
  /** Default time limit per attempt. */
  defaultTimeoutMs: number
  /** Returns whether an interrupted attempt may have changed an external system, even without a compensation. */
  mayHaveSideEffects(node: N): boolean
  /** Returns whether the first attempt is a local activity within the workflow task. */
  isLocal?(node: N): boolean
  /** Returns whether the node can compensate another node. */
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
  /** Returns whether the node starts a child run. */
  isChildRun?(node: N): boolean
  /** Sources of untrusted content in the node's output, in addition to the sources that its expressions read. */
  labels?(node: N): Label[]
  /** Whether the node's output contains nothing that its expressions read. */
  isOpaque?: true
  /** Bindings whose values leave the run or determine who can approve. */
  sinks?(node: N): string[]
  /**
   * Problems that the schema cannot express. Pointers start with `at`; `incoming` is the number of edges to the node.
   */
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

/** A node type. To add one, add a file, a line in `index.ts` and, for an effect, an activity. */
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
    /** A port of `from`. Default: `default`. */
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

/** Widens a constant schema to JSON. */
export const toJsonSchema = (schema: JSONSchema): JsonSchema => schema as unknown as JsonSchema

/** Properties that every node type may support. */
export const COMMON = {
  id: NODE_ID,
  /** Title shown to people. Default: the id. */
  title: LINE,
  /** Sources of untrusted content that the node may use without a decision. `true` stands for all sources. */
  trust: TRUST,
  timeout: DURATION,
  retry: RETRY,
  /** Id of the node that compensates this one if the run is cancelled or fails later. */
  compensate: NODE_ID,
} as const satisfies NodeFields['properties']

type NodeBase = FromFields<{ properties: typeof COMMON; required: readonly ['id'] }>
