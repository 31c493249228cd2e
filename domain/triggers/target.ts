import type { JsonSchema } from '../shared/json/json.ts'

/** The kinds of resources that a trigger may start, by the type of its target. */
export const TARGET_KINDS = { neuron: 'neurons', pathway: 'pathways', receptor: 'receptors' } as const

export type TargetType = keyof typeof TARGET_KINDS

export interface TriggerTarget {
  type: TargetType
  /** Id or slug, with an optional `@version`. */
  ref: string
}

/** What a neuron or receptor takes: a message, and for a neuron the values of its instructions. */
export interface MessageCall {
  message: string
  /** The thread to continue. Default: a new thread. */
  trace_id?: string
  variables?: Record<string, never>
}

const message = { type: 'string', minLength: 1, maxLength: 100_000 }
const trace_id = { type: 'string', format: 'uuid' }

const MESSAGE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { message, trace_id },
  required: ['message'],
  additionalProperties: false,
}

/** The input that targets of a type take; undefined for pathways, which have schemas of their own. */
export const TARGET_SCHEMAS: Record<TargetType, JsonSchema | undefined> = {
  neuron: { ...MESSAGE_SCHEMA, properties: { message, trace_id, variables: { type: 'object' } } },
  receptor: MESSAGE_SCHEMA,
  pathway: undefined,
}
