import { isJsonObject, type JsonValue } from '../shared/json/json.ts'

/**
 * Converts a workflow result to an answer: the result itself or one of its text fields, otherwise the whole result as
 * JSON.
 */
export function parseAnswer(result: JsonValue): { output: string; data?: JsonValue; finish_reason: 'stop' } {
  if (typeof result === 'string') return { output: result, finish_reason: 'stop' }
  const fields = isJsonObject(result) ? result : {}
  const text = [fields.output, fields.text, fields.message, fields.answer].find(value => typeof value === 'string')
  return { output: typeof text === 'string' ? text : JSON.stringify(result), data: result, finish_reason: 'stop' }
}

/** Builds the output of a `neuron` node from the result of the agent's run. */
export function buildNodeOutput(result: JsonValue): JsonValue {
  const { output = null, data, usage = null, trace_id = null } = isJsonObject(result) ? result : {}
  return { text: output, ...(data !== undefined && { data }), usage, trace_id }
}
