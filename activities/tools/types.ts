import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'

export interface ToolRequest {
  job: JobRef
  /** As listed in the catalog. */
  tool: { reflex_id: string; version: number; name: string }
  args: JsonObject
  /** Unique per call, and the same for all attempts of a call. */
  idempotency_key: string
  /** The actor on whose behalf the call is made. */
  requester: string
  /** Hosts that the call may reach. If absent, any host is allowed. */
  allowed_hosts?: readonly string[]
}

export interface ToolResult {
  output: JsonValue
  /** True if the output was truncated. */
  truncated?: true
}

export interface ToolExecutor {
  /**
   * Throws the signal's reason or a StepError: FORBIDDEN, TOOL_UNKNOWN, TOOL_ARGUMENTS_INVALID (with pointers but no
   * values), TOOL_FAILED, SECRET_NOT_AVAILABLE, TOOL_UNAVAILABLE (retryable), and the outbound client's errors.
   */
  call(request: ToolRequest, options: { signal: AbortSignal }): Promise<ToolResult>
}
