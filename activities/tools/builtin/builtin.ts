import type { JobRef } from '../../../domain/jobs.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Principal } from '../../../domain/principal.ts'
import { type BuiltinName, isBuiltin } from '../../../domain/tools/builtin.ts'
import { toolUnknown } from '../errors.ts'
import type { ToolRequest } from '../types.ts'
import { calculate } from './calculate.ts'
import { currentTime } from './current-time.ts'
import { createHttpFetch, type HttpFetchDeps } from './http-fetch.ts'
import { createReadResource, type ReadResourceDeps } from './read-resource.ts'
import { createSearchTool, type SearchToolDeps } from './search.ts'
import { createWriteArtifact, type WriteArtifactDeps } from './write-artifact.ts'

export type BuiltinCall = Pick<ToolRequest, 'job' | 'args' | 'idempotency_key' | 'requester'> & { signal: AbortSignal }

/** Does what a built-in tool does, with arguments that fit its schema. Throws StepError, AppError or the signal's reason. */
export type Builtin = (call: BuiltinCall) => JsonValue | Promise<JsonValue>

export interface Builtins {
  call(name: string, call: BuiltinCall): Promise<JsonValue>
}

export type BuiltinDeps = SearchToolDeps & ReadResourceDeps & WriteArtifactDeps & HttpFetchDeps

export function createBuiltins(deps: BuiltinDeps): Builtins {
  const byName: Partial<Record<BuiltinName, Builtin>> = {
    search: createSearchTool(deps),
    read_resource: createReadResource(deps),
    write_artifact: createWriteArtifact(deps),
    http_fetch: createHttpFetch(deps),
    calculate,
    current_time: currentTime,
  }
  return {
    async call(name, call) {
      const tool = isBuiltin(name) ? byName[name] : undefined
      if (!tool) throw toolUnknown(`"${name}" can be used by neurons only`)
      return tool(call)
    },
  }
}

/** Who a call acts as: whoever started the run, with what the run may reach. */
export function principalOf({ job, requester }: { job: JobRef; requester: string }): Principal {
  const { workspace_id, brain_id, brain_ids = null, job_id } = job
  return {
    workspace_id,
    workspace_slug: '',
    key_id: `job:${job_id}`,
    actor: requester,
    groups: [],
    brain_id,
    brain_ids,
  }
}
