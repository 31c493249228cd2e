import type { JobStatus } from '../../domain/runs/jobs.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { Idempotency } from '../shared/idempotency.ts'

export interface ToolCallRequest {
  name: string
  /** Slug or id, with an optional `@version`. Required when several reflexes have a tool with this name. */
  reflex?: string
  arguments: JsonObject
}

/** The output of a direct call, or its open job. */
export type ToolCallReply = { output: JsonValue; job_id: string } | { job_id: string; status: JobStatus }

/** Tools of the active reflexes of the workspace. */
export interface ToolsService {
  list(principal: Principal, page: { limit: number; offset: number }): Promise<{ data: ToolSpec[]; total: number }>
  /**
   * Calls a tool as a job, and waits for its end. Throws NotFound, ValidationError when several tools have the name or the
   * tool cannot be called directly, and ToolCallFailed.
   */
  call(
    principal: Principal,
    request: ToolCallRequest,
    options: { signal: AbortSignal; idempotency?: Idempotency },
  ): Promise<ToolCallReply>
}
