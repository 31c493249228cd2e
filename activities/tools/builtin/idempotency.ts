import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { Idempotency } from '../../../services/shared/idempotency.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the idempotency record for a tool call, so that retries take effect only once. */
export const idempotencyFor = (tool: string, key: string, args: JsonObject): Idempotency => ({
  key: `tool:${sha256(key)}`,
  route: tool,
  body_hash: sha256(JSON.stringify(args)),
})
