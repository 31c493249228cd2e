import type { JsonSchema } from '../shared/json/json.ts'

/** The resource kinds that a trigger can start, by target type. */
export const TARGET_KINDS = { neuron: 'neurons', pathway: 'pathways', receptor: 'receptors' } as const

export type TargetType = keyof typeof TARGET_KINDS

export interface TriggerTarget {
  type: TargetType
  /** Id or slug, optionally with `@version`. */
  ref: string
}

/** Input of an agent or gateway: a message, and for an agent the variables of its instructions. */
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

/** Input schemas by target type. Undefined for workflows, which have their own schemas. */
export const TARGET_SCHEMAS: Record<TargetType, JsonSchema | undefined> = {
  neuron: { ...MESSAGE_SCHEMA, properties: { message, trace_id, variables: { type: 'object' } } },
  receptor: MESSAGE_SCHEMA,
  pathway: undefined,
}
