import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { type BuiltinName, isBuiltin } from '../../../domain/tools/builtin.ts'
import { unknownToolError } from '../errors.ts'
import type { ToolRequest } from '../types.ts'
import { type CalculateDeps, createCalculate } from './calculate.ts'
import { currentTime } from './current-time.ts'
import { createHttpFetch, type HttpFetchDeps } from './http-fetch.ts'
import { createReadFile, type ReadFileDeps } from './read-file.ts'
import { createReadResource, type ReadResourceDeps } from './read-resource.ts'
import { createSearchTool, type SearchToolDeps } from './search.ts'
import { createWriteArtifact, type WriteArtifactDeps } from './write-artifact.ts'

export type BuiltinCall = Pick<ToolRequest, 'job' | 'args' | 'idempotency_key' | 'requester' | 'allowed_hosts'> & {
  signal: AbortSignal
}

/** Runs a built-in tool with arguments that match its schema. Throws StepError, AppError or the signal's reason. */
export type Builtin = (call: BuiltinCall) => JsonValue | Promise<JsonValue>

export interface Builtins {
  call(name: string, call: BuiltinCall): Promise<JsonValue>
}

export type BuiltinDeps = SearchToolDeps &
  ReadFileDeps &
  ReadResourceDeps &
  WriteArtifactDeps &
  HttpFetchDeps &
  CalculateDeps

export function createBuiltins(deps: BuiltinDeps): Builtins {
  const byName: Partial<Record<BuiltinName, Builtin>> = {
    search: createSearchTool(deps),
    read_resource: createReadResource(deps),
    read_file: createReadFile(deps),
    write_artifact: createWriteArtifact(deps),
    http_fetch: createHttpFetch(deps),
    calculate: createCalculate(deps),
    current_time: currentTime,
  }
  return {
    async call(name, call) {
      const tool = isBuiltin(name) ? byName[name] : undefined
      if (!tool) throw unknownToolError(`only neurons can use "${name}"`)
      return tool(call)
    },
  }
}
