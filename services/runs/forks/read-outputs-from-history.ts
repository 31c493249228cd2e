import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { decodePayload, listResults, readHistories } from '../status/history.ts'

/**
 * Returns activity outputs by node key from the Temporal history. A node row has no output if the worker was killed
 * before it wrote the row. Unknown runs and keys are omitted. Throws Unavailable.
 */
export async function readOutputsFromHistory(
  temporal: Temporal,
  jobId: string,
  keys: ReadonlySet<string>,
): Promise<Record<string, JsonValue>> {
  const outputs: Record<string, JsonValue> = {}
  if (keys.size === 0) return outputs
  for await (const { events } of readHistories(temporal, jobId)) {
    for (const { readKey, payload } of listResults(temporal, events)) {
      const key = await readKey()
      if (!keys.has(key) || Object.hasOwn(outputs, key)) continue
      const result = await decodePayload<{ output: JsonValue }>(temporal, payload)
      if (result) outputs[key] = result.output
    }
    if (Object.keys(outputs).length === keys.size) break
  }
  return outputs
}
