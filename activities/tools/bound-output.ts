import type { JsonValue } from '../../domain/shared/json/json.ts'
import { toolFailedError } from './errors.ts'
import type { ToolResult } from './types.ts'

/** Returns the output, or its beginning as text with a note when it has more bytes than allowed. */
export function boundOutput(output: JsonValue, maxBytes: number): ToolResult {
  const text = typeof output === 'string' ? output : stringifyOutput(output)
  const size = Buffer.byteLength(text)
  if (size <= maxBytes) return { output }
  const shortened = new TextDecoder().decode(Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes), {
    stream: true,
  })
  return { output: `${shortened}\n\n[cut here: ${maxBytes} of ${size} bytes are shown]`, truncated: true }
}

function stringifyOutput(output: JsonValue): string {
  try {
    return JSON.stringify(output)
  } catch {
    throw toolFailedError('The response of the tool is nested too deeply')
  }
}
