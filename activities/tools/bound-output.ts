import type { JsonValue } from '../../domain/json.ts'
import { toolFailed } from './errors.ts'
import type { ToolResult } from './types.ts'

/** A result of at most so many bytes, as JSON or as text: what is longer becomes a text that is cut and says so. */
export function boundOutput(output: JsonValue, maxBytes: number): ToolResult {
  const text = typeof output === 'string' ? output : stringifyOrThrow(output)
  // No text has fewer bytes than characters.
  const size = Buffer.byteLength(text)
  if (size <= maxBytes) return { output }
  const kept = new TextDecoder().decode(Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes), { stream: true })
  return { output: `${kept}\n\n[cut here: ${maxBytes} of ${size} bytes are shown]`, truncated: true }
}

function stringifyOrThrow(output: JsonValue): string {
  try {
    return JSON.stringify(output)
  } catch {
    throw toolFailed('The response of the tool is nested too deeply')
  }
}
