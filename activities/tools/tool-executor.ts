import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/shared/database.ts'
import { findToolRight, requireRight } from '../../domain/access/rights.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { compileSchema } from '../../domain/shared/schemas/json-schema.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { Outbound } from '../../services/tools/outbound/client.ts'
import type { Redactor } from '../../domain/tools/redactor.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { Secrets } from './secrets.ts'
import type { Builtins } from './builtin/builtin.ts'
import { invalidArgumentsError, toToolFailure, toolFailedError, unknownToolError } from './errors.ts'
import { callHttpTool } from './http-call.ts'
import { callMcpTool } from './mcp/call.ts'
import type { ToolExecutor, ToolRequest, ToolResult } from './types.ts'
import { findPinnedResources } from '../../data/resources/pinned-resources-store.ts'
import type { ReflexDocument, ReflexTool } from '../../domain/resources/kinds/reflexes.ts'
import { listToolSpecs } from '../../domain/tools/listing.ts'
import { prefixName } from '../../domain/tools/names.ts'
import { getBrainAccess, visibleBrains } from '../../services/access/brains.ts'

interface ToolExecutorDeps {
  db: Database
  outbound: Outbound
  secrets: Secrets
  builtins: Builtins
  evaluator: Evaluator
  config: Pick<Config, 'TOOL_OUTPUT_MAX_BYTES' | 'OUTBOUND_TIMEOUT_SECONDS'>
}

interface Answer {
  output: JsonValue
  /** Present if secrets were sent. */
  redactor?: Redactor
}

/** Calls built-in, OpenAPI and MCP tools. Tools that run pathways or neurons are executed as child runs. */
export function createToolExecutor({
  db,
  outbound,
  secrets,
  builtins,
  evaluator,
  config,
}: ToolExecutorDeps): ToolExecutor {
  const timeoutMs = config.OUTBOUND_TIMEOUT_SECONDS * 1_000

  function dispatch({ reflex, spec, tool }: FoundTool, request: ToolRequest, signal: AbortSignal): Promise<Answer> {
    const { job, args, idempotency_key } = request
    const { workspace_id } = job
    const calling = { outbound: limitHosts(outbound, request.allowed_hosts), secrets, timeoutMs }
    if (spec.source === 'builtin') return builtins.call(spec.name, { ...request, signal }).then(output => ({ output }))
    if (spec.source === 'openapi' && tool?.http) {
      const call = { reflex, http: tool.http, effect: spec.effect, args, workspace_id, idempotency_key, signal }
      return callHttpTool(calling, call)
    }
    if (spec.source === 'mcp' && reflex.url !== undefined) {
      const server = { url: reflex.url, secrets: reflex.secrets, workspace_id }
      return callMcpTool(calling, { server, name: tool?.mcp?.name ?? spec.name, args, idempotency_key, signal })
    }
    throw unknownToolError(`"${spec.name}" cannot be called as a tool`)
  }

  async function checkArguments({ job, args }: ToolRequest, { name, parameters }: ToolSpec): Promise<void> {
    const problems = await evaluator.evaluate(job.workspace_id, 'findSchemaProblems', parameters, args)
    if (problems.length === 0) return
    // If the schema does not compile, `problems` contains the schema's own problems.
    if ('validate' in compileSchema(parameters)) throw invalidArgumentsError(problems)
    throw toolFailedError(`The schema of "${name}" is not supported: ${problems[0]?.message ?? ''}`)
  }

  return {
    async call(request, { signal }) {
      try {
        const tool = await findTool(db, request)
        requireRight(request.job, findToolRight(tool.spec))
        await checkArguments(request, tool.spec)
        signal.throwIfAborted()
        const { output, redactor } = await dispatch(tool, request, signal)
        return boundOutput(redact(output, redactor), config.TOOL_OUTPUT_MAX_BYTES)
      } catch (error) {
        signal.throwIfAborted()
        throw toToolFailure(error)
      }
    },
  }
}

/** Returns a client that can reach only these hosts. */
const limitHosts = (outbound: Outbound, allowed_hosts?: readonly string[]): Outbound => ({
  ...outbound,
  request: request => outbound.request({ ...request, allowed_hosts }),
  open: request => outbound.open({ ...request, allowed_hosts }),
})

/**
 * Throws TOOL_FAILED for output that cannot be serialized as JSON, because such output cannot be searched for
 * secrets.
 */
function redact(output: JsonValue, redactor: Redactor | undefined): JsonValue {
  try {
    return redactor ? redactor.json(output) : output
  } catch {
    throw toolFailedError("The tool's response is nested too deeply")
  }
}

/** Returns the output. If the output exceeds the limit, returns its start as text with a note. */
function boundOutput(output: JsonValue, maxBytes: number): ToolResult {
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
    throw toolFailedError("The tool's response is nested too deeply")
  }
}

interface FoundTool {
  reflex: ReflexDocument
  spec: ToolSpec
  /** The tool as stored in the reflex. Absent for built-in tools that the reflex does not store. */
  tool?: ReflexTool
}

/** Finds a tool in a given version of its reflex. Throws TOOL_UNKNOWN, including if the reflex is inactive. */
async function findTool(db: Database, { job, tool: address }: ToolRequest): Promise<FoundTool> {
  const { reflex_id, version, name } = address
  const references = [{ ref: reflex_id, name: reflex_id, version }]
  const [pinnedReflex] = await db.inWorkspaceAtOnce(job.workspace_id, tx =>
    findPinnedResources(tx, 'reflexes', references, visibleBrains(getBrainAccess(job))),
  )
  if (!pinnedReflex) throw unknownToolError(`There is no reflex ${reflex_id} at version ${version}`)
  if (!pinnedReflex.is_active) throw unknownToolError(`The reflex "${pinnedReflex.slug}" is inactive`)
  const { id, slug, title } = pinnedReflex
  const reflex = pinnedReflex.document as ReflexDocument
  if (reflex.target !== undefined)
    throw unknownToolError(`"${name}" runs a ${reflex.source} and cannot be called as a tool`)
  const specs = listToolSpecs({ id, slug, version: pinnedReflex.version, title, document: reflex })
  const spec = specs.find(each => each.name === name) ?? specs.find(each => prefixName(slug, each.name) === name)
  if (!spec) throw unknownToolError(`"${slug}" has no tool "${name}"`)
  return { reflex, spec, tool: reflex.tools.find(each => each.name === spec.name) }
}
