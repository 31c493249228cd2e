import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../data/shared/database.ts'
import { NotFound, ValidationError, AppError, type ToolErrorCode } from '../../domain/shared/errors.ts'
import type { JobRef, JobStatus } from '../../domain/runs/jobs.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { inContext } from '../access/brains.ts'
import { type JobStart, type JobStarter, acceptJob } from '../runs/start/job-starter.ts'
import { buildPathwayJob } from '../runs/start/start-pathway.ts'
import type { JobsService } from '../runs/jobs.ts'
import { unfit } from '../pathways/tools.ts'
import type { Temporal } from '../shared/temporal.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { listTools, findToolsByName } from './listing.ts'

interface ToolCallRequest {
  name: string
  /** Slug or id, with an optional `@version`. Required if several reflexes have a tool with this name. */
  reflex?: string
  arguments: JsonObject
}

/** The output of a direct call, or the job if it is still open. */
type ToolCallReply = { output: JsonValue; job_id: string } | { job_id: string; status: JobStatus }

/** The tools in the workspace's active reflexes. */
export interface ToolsService {
  list(principal: Principal, page: PageQuery): Promise<{ data: ToolSpec[]; total: number }>
  /**
   * Calls a tool as a job and waits for the job to end. Throws NotFound. Throws ValidationError if several tools have
   * the name or the tool cannot be called directly. Throws ToolCallFailed.
   */
  call(
    principal: Principal,
    request: ToolCallRequest,
    options: { signal: AbortSignal; idempotency?: Idempotency },
  ): Promise<ToolCallReply>
}

interface Deps {
  db: Database
  jobStarter: JobStarter
  jobs: Pick<JobsService, 'status'>
  temporal: Pick<Temporal, 'call' | 'handle'>
  /** Maximum time to wait for the job to end. */
  waitMs?: number
}

const WAIT_MS = 25_000

/** Lists the workspace's tools and calls them directly. A call runs a pathway with one `tool` node. */
export function createTools({ db, jobStarter, jobs, temporal, waitMs = WAIT_MS }: Deps): ToolsService {
  /** Resolves once the run has ended or the timeout elapses. */
  async function awaitEnd(jobId: string, signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const result = temporal.call(() => temporal.handle(jobId).result(), waitMs).catch(() => undefined)
    const late = pause(waitMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined)
    await Promise.race([result, late])
    over.abort()
  }

  return {
    list: (principal, page) => db.inWorkspace(principal.workspace_id, tx => listTools(tx, inContext(principal), page)),

    async call(principal, request, { signal, idempotency }) {
      const { job_id } = await jobStarter.start(principal, idempotency, async (tx, claimJob) => {
        const tool = getTool(await findToolsByName(tx, inContext(principal), request.name, request.reflex), request)
        const { job, requester } = await claimJob('tool')
        return acceptJob(buildToolJob(requester, tool, request.arguments, job))
      })
      await awaitEnd(job_id, signal)
      const { status, result = null, error } = await jobs.status(principal, job_id)
      if (status === 'completed') return { output: result, job_id }
      if (error) throw new ToolCallError(error.code, trimReason(error.message))
      return { job_id, status }
    },
  }
}

/** Removes the only node's key from the failure reason. */
const trimReason = (reason: string): string => reason.replace(/^call: /, '')

function getTool(tools: ToolSpec[], { name, reflex }: ToolCallRequest): ToolSpec {
  const [tool, secondTool] = tools
  if (!tool) throw new NotFound(reflex === undefined ? `Tool "${name}"` : `Tool "${name}" of "${reflex}"`)
  if (secondTool) {
    const slugs = tools.map(({ reflex }) => reflex.slug).join(', ')
    throw new ValidationError(`Several reflexes have a tool "${name}": reflex is required`, [
      { pointer: '/reflex', message: `must be one of ${slugs}` },
    ])
  }
  const why = unfit(tool)
  if (why !== undefined)
    throw new ValidationError('This tool cannot be called directly', [{ pointer: '/name', message: why }])
  return tool
}

function buildToolJob(requester: string, tool: ToolSpec, args: JsonObject, job: JobRef): JobStart {
  const pathway = { id: null, slug: 'tool', version: null, title: `Tool: ${tool.name}` }
  const run = {
    job,
    pathway,
    definition: buildDefinition(tool),
    subflows: {},
    input: { args },
    requester,
  }
  return { ...buildPathwayJob(run), kind: 'tool' }
}

/** The caller's arguments are passed as input, because arguments in a definition would be evaluated as expressions. */
const buildDefinition = ({ name, reflex, effect, is_short }: ToolSpec): PathwayDefinition => ({
  schema: 'pathway/1',
  nodes: [
    {
      id: 'call',
      type: 'tool',
      with: { reflex: `${reflex.id}@${reflex.version}`, name, args: '${input.args}', effect, is_short },
      retry: { max_attempts: effect === 'write' ? 2 : 3 },
    },
  ],
  edges: [],
})

/** HTTP statuses by error code. The default is 422. */
const STATUS: Partial<Record<string, number>> = {
  TOOL_UNKNOWN: 404,
  TOOL_ARGUMENTS_INVALID: 400,
  NODE_INPUT_INVALID: 400,
  BAD_URL: 400,
  BAD_REQUEST: 400,
  BLOCKED_ADDRESS: 403,
  FORBIDDEN: 403,
  HOST_NOT_ALLOWED: 403,
  SECRET_NOT_AVAILABLE: 403,
  CANCELLED: 409,
  TOOL_FAILED: 422,
  TOO_MANY_REDIRECTS: 502,
  RESPONSE_TOO_LARGE: 502,
  TIMEOUT: 502,
  INTERNAL: 500,
  TOOL_UNAVAILABLE: 503,
}

/** A failed direct call, with the job's error code. */
class ToolCallError extends AppError {
  constructor(code: string, message: string) {
    // The message may contain responses from external systems, which are not logged.
    const cause = new Error(`tool failed: ${code}`)
    super(code as ToolErrorCode, message, { status: STATUS[code] ?? 422, cause })
  }
}
