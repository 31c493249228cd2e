import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { Idempotency } from '../jobs/types.ts'

export interface ToolCallRequest {
  name: string
  /** Slug or id, with `@version` where one is meant; needed where several reflexes have a tool of the name. */
  reflex?: string
  arguments: JsonObject
}

/** How a direct call went, as far as it is known by now. */
export type ToolCallReply = { output: JsonValue; job_id: string } | { job_id: string; status: 'pending' }

/** Tools of the workspace's active reflexes, for people and programs. */
export interface ToolsService {
  list(principal: Principal, page: { limit: number; offset: number }): Promise<{ data: ToolSpec[]; total: number }>
  /**
   * Calls a tool as a job, and waits a while for its end. Throws NotFound, ValidationError where a name means several
   * tools or one that is not called this way, and ToolCallFailed.
   */
  call(
    principal: Principal,
    request: ToolCallRequest,
    options: { signal: AbortSignal; idempotency?: Idempotency },
  ): Promise<ToolCallReply>
}
