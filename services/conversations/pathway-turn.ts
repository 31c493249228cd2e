import { ValidationError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import { inContext } from '../access/brains.ts'
import {
  buildPathwayJob,
  getPathwayOrThrow,
  getStartedPathway,
  type StartPathwayDeps,
  prepareRun,
} from '../jobs/start-pathway.ts'
import type { Idempotency } from '../jobs/types.ts'
import { pinRun } from '../pathways/pinning.ts'
import { beginTurn, toTurn } from './turns.ts'
import type { AcceptedMessage, MessageInput } from './types.ts'

type StartPathwayTurn = (
  principal: Principal,
  ref: string,
  input: MessageInput,
  idempotency?: Idempotency,
) => Promise<AcceptedMessage>

/** Starts pathways that answer in a thread. The input is `{message, trace_id}`, and the result is the answer. */
export function createStartPathwayTurn({ jobStarter, evaluator }: StartPathwayDeps): StartPathwayTurn {
  return async (caller, ref, message, idempotency) => {
    const principal = inContext(caller)
    if (message.messages.length > 1) throw new ValidationError('A pathway accepts one message at a time')
    const { receptor_id } = message
    return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
      const head = await getPathwayOrThrow(tx, principal, ref)
      const { job, requester, existing } = await claimJob(head.slug)
      const pathway = await getStartedPathway(tx, principal, head, existing)
      const target = receptor_id
        ? { type: 'receptor' as const, id: receptor_id }
        : { type: 'pathway' as const, id: pathway.id ?? '' }
      const trace = existing ? toTurn(existing) : await beginTurn(tx, principal, job.job_id, message, target)
      const { trace_id } = trace
      const sent: JsonObject = { message: message.messages.at(-1)?.content ?? '', trace_id }
      const { input, title } = await prepareRun(evaluator, pathway, { job, requester, input: sent })
      const run = {
        ...(await pinRun(tx, principal, { ...pathway, title }, '/definition')),
        job,
        input,
        requester,
        trace,
      }
      const jobStart = { ...buildPathwayJob(run), trace, receptor_id }
      return { jobStart, response: { job_id: job.job_id, trace_id, status: 'pending' } }
    })
  }
}
