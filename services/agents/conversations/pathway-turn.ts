import type { Tx } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import type { PinnedPathway } from '../../../domain/pathways/definition.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { inContext } from '../../access/brains.ts'
import {
  buildPathwayJob,
  getPathway,
  getStartedPathway,
  type StartPathwayDeps,
  prepareRun,
} from '../../runs/start/start-pathway.ts'
import type { ClaimedJob, JobStart } from '../../runs/start/job-starter.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import { pinRun } from '../../pathways/pinning.ts'
import { beginTurn, requireTurn } from './turns.ts'
import type { RunAccepted } from '../../../contract/agents/conversation.ts'
import type { MessageInput } from './conversations.ts'

type StartPathwayTurn = (
  principal: Principal,
  ref: string,
  input: MessageInput,
  idempotency?: Idempotency,
) => Promise<RunAccepted>

/** Starts pathways that answer in a thread. The input is `{message, trace_id, files?}`, and the result is the answer. */
export function createStartPathwayTurn({ jobStarter, evaluator }: StartPathwayDeps): StartPathwayTurn {
  const buildTurn = createBuildPathwayTurn(evaluator)
  return async (caller, ref, message, idempotency) => {
    const principal = inContext(caller)
    if (message.messages.length > 1) throw new ValidationError('A pathway accepts one message at a time')
    return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
      const head = await getPathway(tx, principal, ref)
      const jobStart = await buildTurn(tx, principal, head, await claimJob(head.slug), message)
      const { job, trace } = jobStart
      return { jobStart, response: { job_id: job.job_id, trace_id: trace.trace_id, status: 'pending' } }
    })
  }
}

/** Builds a run that answers in a thread, in the transaction that claimed the run's job. */
export const createBuildPathwayTurn =
  (evaluator: Evaluator) =>
  async (
    tx: Tx,
    principal: Principal,
    head: PinnedPathway,
    { job, requester, existing }: ClaimedJob,
    message: MessageInput,
  ): Promise<JobStart & { trace: TraceTurn }> => {
    requirePermission(principal, 'jobs:start')
    const { receptor_id } = message
    const pathway = await getStartedPathway(tx, principal, head, existing)
    const target = receptor_id
      ? { type: 'receptor' as const, id: receptor_id }
      : { type: 'pathway' as const, id: pathway.id ?? '' }
    const trace = existing ? requireTurn(existing) : await beginTurn(tx, principal, job.job_id, message, target)
    const { trace_id } = trace
    const content = message.messages.at(-1)?.content ?? ''
    const turnInput: JsonObject = { message: content, trace_id, ...(message.files && { files: message.files }) }
    // A repeated request starts the run with the input of the first request.
    const startInput = existing ? existing.input : turnInput
    const { input, title } = await prepareRun(evaluator, pathway, { job, requester, input: startInput })
    const pinned = await pinRun(tx, principal, { ...pathway, title }, '/definition')
    const run = { ...pinned, job, input, requester, trace }
    return { ...buildPathwayJob(run), trace, receptor_id }
  }
