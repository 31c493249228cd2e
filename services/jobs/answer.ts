import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import canonicalize from 'canonicalize'
import type { Database, Tx } from '../../data/database.ts'
import { claimIdempotency } from '../../data/idempotency-store.ts'
import { findIntervention, type InterventionRecord } from '../../data/interventions-store.ts'
import { findRunSpec } from '../../data/traces-store.ts'
import { Conflict, Forbidden, ValidationError } from '../../domain/errors.ts'
import { judge, type OpenIntervention, replyTo } from '../../domain/interventions.ts'
import type { Answer, AnswerReply, Intervention } from '../../domain/jobs.ts'
import type { NeuronRunSpec, RunTool } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { isApprovalKey } from '../../workflows/neuron/keys.ts'
import { type AnswerInput, inputUpdate, NOT_ASKED } from '../../workflows/shared/messages.ts'
import type { Temporal } from '../temporal.ts'
import { requireJob } from './find.ts'
import type { Idempotency, JobsService } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  idempotencyHours: number
}

/** An answer waits this long for a worker to take it; sent again later it is still the same answer. */
const ANSWER_TIMEOUT = 10_000
/** An answer to what the run says it never asked is sent so often, in all, before it is refused. */
const TRIES = 5
const AGAIN_MS = 200

/**
 * Gives a person's answer to the run that asked. The form is checked here, where schemas can be compiled; all else is
 * judged by the run itself, before the answer becomes part of its history.
 */
export function createAnswer({ db, temporal, idempotencyHours }: Deps): JobsService['answer'] {
  return async (principal, jobId, interventionId, answer, idempotency) => {
    const { asked, tool } = await db.inWorkspace(principal.workspace_id, async tx => {
      const [, intervention] = await Promise.all([
        requireJob(tx, principal, jobId),
        requireAsked(tx, jobId, interventionId),
        idempotency && claim(tx, idempotency, jobId, idempotencyHours),
      ])
      return { asked: intervention, tool: hasData(answer) ? await proposedTool(tx, intervention) : undefined }
    })
    checkData(answer, asked, tool)
    try {
      return await tell(asked.job_id, { ...answer, interventionId, by: principal })
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return fromRecord(principal, interventionId, answer)
      throw refusal(error)
    }
  }

  /** A run that is being taken up after a crash may hear of the answer just before it has got again to its question. */
  async function tell(jobId: string, input: AnswerInput): Promise<AnswerReply> {
    for (let tries = 1; ; tries++) {
      try {
        return await temporal.call(() => send(jobId, input), ANSWER_TIMEOUT)
      } catch (error) {
        if (tries === TRIES || failureOf(error)?.type !== NOT_ASKED) throw error
        await pause(AGAIN_MS)
      }
    }
  }

  function send(jobId: string, { by, ...said }: AnswerInput): Promise<AnswerReply> {
    const input: AnswerInput = { ...said, by: { actor: by.actor, groups: by.groups } }
    const updateId = createHash('sha256')
      .update(canonicalize(input) ?? '')
      .digest('hex')
    return temporal.handle(jobId).executeUpdate(inputUpdate, { args: [input], updateId })
  }

  /** The run is over: what it wrote down tells whether this is the answer it took. */
  async function fromRecord(principal: Principal, interventionId: string, answer: Answer): Promise<AnswerReply> {
    const record = await db.inWorkspace(principal.workspace_id, tx => findIntervention(tx, interventionId))
    const open = record && asOpen(record)
    const verdict = judge(open, answer, principal, new Date().toISOString())
    if (record && open && verdict.type === 'repeated') return replyTo(record.job_id, open, verdict.vote)
    throw new ValidationError(verdict.type === 'refused' ? verdict.message : 'the intervention is closed')
  }
}

async function claim(tx: Tx, { key, route, body_hash }: Idempotency, target: string, hours: number): Promise<void> {
  const answer = await claimIdempotency(tx, { key, route, body_hash, target, hours })
  if (!answer.fresh && answer.body_hash !== body_hash) {
    throw new Conflict('The Idempotency-Key was already used for another request')
  }
}

async function requireAsked(tx: Tx, jobId: string, interventionId: string): Promise<InterventionRecord> {
  const found = await findIntervention(tx, interventionId)
  if (found && (found.job_id === jobId || found.root_job_id === jobId)) return found
  throw new ValidationError('The run has no intervention with this id', [
    { pointer: '/input/interventionId', message: 'must be the id of an intervention of this run' },
  ])
}

const hasData = ({ action, data }: Answer): boolean => data !== undefined && action !== 'reject'

/** The tool whose call an approval is about. Its parameters hold also where they are too long for the form. */
async function proposedTool(tx: Tx, { job_id, node_key, node_id }: InterventionRecord): Promise<RunTool | undefined> {
  if (!isApprovalKey(node_key)) return undefined
  const spec = (await findRunSpec(tx, job_id)) as unknown as NeuronRunSpec | undefined
  return spec?.tools.find(({ alias }) => alias === node_id)
}

/** Throws ValidationError. */
function checkData(answer: Answer, { form }: InterventionRecord, tool: RunTool | undefined): void {
  const schema = tool?.parameters ?? form
  const { data } = answer
  // Null in place of arguments means: as proposed.
  if (!schema || !hasData(answer) || (tool && data === null)) return
  const compiled = compileSchema(schema)
  const problems = 'validate' in compiled ? compiled.validate(data, '/input/data') : compiled.problems
  if (problems.length === 0) return
  const message = tool ? `The data must match the parameters of ${tool.alias}` : 'The data must match the form'
  throw new ValidationError(message, problems)
}

function refusal(error: unknown): unknown {
  const { type, message = '' } = failureOf(error) ?? {}
  if (type === 'NOT_ASSIGNED') return new Forbidden(message)
  return type === 'INVALID_INPUT' || type === NOT_ASKED ? new ValidationError(message) : error
}

/** What the run itself said against the answer. */
const failureOf = (error: unknown): ApplicationFailure | undefined =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure ? error.cause : undefined

function asOpen(record: InterventionRecord): OpenIntervention {
  const { decision, votes, status } = record
  return {
    intervention: { ...record, description: record.description ?? undefined } as unknown as Intervention,
    votes,
    decision: decision ?? undefined,
    closed: status === 'open' ? 'cancelled' : status,
  }
}
