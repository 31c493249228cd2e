import type { InputRequest } from '@modelcontextprotocol/server'
import type { JobView } from '../../../contract/runs/job.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createToolResult } from '../calls/call-tool.ts'
import type { ClientAbilities } from '../protocol/capabilities.ts'
import { buildForms } from '../questions/elicitation.ts'
import { presentOutcome } from '../runs/run-outcome.ts'

/** A run as an MCP task. The status `failed` is not used, because it means that the request was not a tool call. */
export type Task = {
  taskId: string
  createdAt: string
  lastUpdatedAt: string
  /** Null, because the plan of the workspace determines how long a run is kept. */
  ttlMs: null
  pollIntervalMs: number
  statusMessage?: string
} & (
  | { status: 'working' | 'cancelled' }
  | { status: 'input_required'; inputRequests: Record<string, InputRequest> }
  | { status: 'completed'; result: object }
)

const POLL_MS = 2_000

/** Presents a run as a task, according to the client's capabilities. */
export function presentTask(job: JobView, principal: Principal, { forms }: Pick<ClientAbilities, 'forms'>): Task {
  const { job_id, created_at, processed_at, finished_at } = job
  const about = {
    taskId: job_id,
    createdAt: created_at,
    lastUpdatedAt: finished_at ?? processed_at ?? created_at,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  }
  if (job.status === 'completed')
    return { ...about, status: 'completed', result: createToolResult(presentOutcome(job)) }
  if (job.status === 'failed')
    return job.error?.code === 'CANCELLED'
      ? { ...about, status: 'cancelled', statusMessage: job.failedReason }
      : { ...about, status: 'completed', result: { ...createToolResult(presentOutcome(job)), isError: true } }
  const inputRequests = forms ? buildForms(job.waitingFor ?? [], principal) : {}
  const statusMessage = presentOutcome(job).next
  return Object.keys(inputRequests).length > 0
    ? { ...about, status: 'input_required', inputRequests, statusMessage }
    : { ...about, status: 'working', statusMessage: job.current_step ?? statusMessage }
}
