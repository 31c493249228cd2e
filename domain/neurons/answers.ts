import { isJsonObject, type JsonValue } from '../json.ts'

/** What a pathway gives, as an answer in words: its text where it is or has one. */
export function toAnswer(result: JsonValue): { output: string; data?: JsonValue; finish_reason: 'stop' } {
  if (typeof result === 'string') return { output: result, finish_reason: 'stop' }
  const fields = isJsonObject(result) ? result : {}
  const text = [fields.output, fields.text, fields.message, fields.answer].find(value => typeof value === 'string')
  return { output: typeof text === 'string' ? text : JSON.stringify(result), data: result, finish_reason: 'stop' }
}
