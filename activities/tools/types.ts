import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'

export interface ToolRequest {
  job: JobRef
  /** As the catalog lists it. */
  tool: { reflex_id: string; version: number; name: string }
  args: JsonObject
  /** Unique to the call, and the same for all its attempts. */
  idempotency_key: string
  /** The actor that the call acts for. */
  requester: string
  /** Hosts that the call may reach; any if absent. */
  allowed_hosts?: readonly string[]
}

export interface ToolResult {
  output: JsonValue
  /** The output was cut. */
  truncated?: true
}

export interface ToolExecutor {
  /**
   * Throws the signal's reason, or StepError: FORBIDDEN, TOOL_UNKNOWN, TOOL_ARGUMENTS_INVALID (naming places, not values),
   * TOOL_FAILED, SECRET_NOT_AVAILABLE, TOOL_UNAVAILABLE (worth a retry), and those of the outbound client.
   */
  call(request: ToolRequest, options: { signal: AbortSignal }): Promise<ToolResult>
}
