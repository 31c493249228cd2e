import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import { hashCanonical } from '../../data/canonical-hash.ts'
import type { Database, Tx } from '../../data/database.ts'
import { findIntervention, type InterventionRecord } from '../../data/interventions-store.ts'
import { findRunSpec } from '../../data/traces-store.ts'
import { Forbidden, ValidationError } from '../../domain/errors.ts'
import { assigneeProblem, evaluateAnswer, type OpenIntervention, buildReply } from '../../domain/interventions.ts'
import type { Answer, AnswerReply, Intervention, JobRecord } from '../../domain/jobs.ts'
import { isJsonObject, type JsonValue, type Problem } from '../../domain/json.ts'
import { escapePointer } from '../../domain/json-pointer.ts'
import type { NeuronRunSpec, RunTool } from '../../domain/neurons/run-spec.ts'
import { isAssignee, type Principal, toOtherPerson } from '../../domain/principal.ts'
import { isApprovalKey } from '../../workflows/neuron/keys.ts'
import { type AnswerInput, INVALID_INPUT, inputUpdate, NOT_ASKED } from '../../workflows/shared/messages.ts'
import { canWriteBrain } from '../access/brains.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../idempotency.ts'
import type { Temporal } from '../temporal.ts'
import { getJobOrThrow } from './find.ts'
import { findRefusal, sendUpdate } from './send-update.ts'
import type { JobsService } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
  evaluator: Evaluator
}

/** An intervention that the run does not know may be opened soon, when the run is replayed after a crash. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 200

/**
 * Sends answers to the runs that requested them. The data is validated here, because workflows cannot compile schemas.
 * The run validates the rest before the answer becomes part of its history.
 */
export function createInterventionAnswers({ db, temporal, idempotencyKeys, evaluator }: Deps): JobsService['answer'] {
  return async (principal, jobId, interventionId, answer, idempotency) => {
    const { record, tool } = await db.inWorkspace(principal.workspace_id, async tx => {
      const [job, intervention] = await Promise.all([
        getJobOrThrow(tx, principal, jobId),
        getInterventionOrThrow(tx, jobId, interventionId),
        idempotencyKeys.claim(tx, idempotency, jobId),
      ])
      checkAnswerable(principal, job, intervention)
      return { record: intervention, tool: hasData(answer) ? await findProposedTool(tx, intervention) : undefined }
    })
    await validateData(principal, answer, record, tool)
    try {
      return await sendWithRetry(record.job_id, {
        ...answer,
        interventionId,
        by: toAnswerer(principal, db.requestId()),
      })
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return replyFromRecord(principal, interventionId, answer)
      throw toRefusal(error)
    }
  }

  /** Throws ValidationError, and Forbidden for a person who may not answer. */
  async function validateData(
    principal: Principal,
    answer: Answer,
    record: InterventionRecord,
    tool: RunTool | undefined,
  ): Promise<void> {
    const schema = tool?.parameters ?? record.form
    const { data } = answer
    // Null stands for the proposed arguments.
    if (!schema || data === undefined || !hasData(answer) || (tool && data === null)) return
    checkAssigned(principal, record)
    const { workspace_id } = principal
    const problems = await evaluator.evaluate(workspace_id, 'findSchemaProblems', schema, data, '/input/data')
    problems.push(...findFixed(tool, data))
    if (problems.length === 0) return
    const message = tool ? `The data must match the parameters of ${tool.alias}` : 'The data must match the form'
    throw new ValidationError(message, problems)
  }

  async function sendWithRetry(jobId: string, input: AnswerInput): Promise<AnswerReply> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendUpdate(temporal, jobId, inputUpdate, input, toUpdateId(input))
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || findRefusal(error)?.type !== NOT_ASKED) throw error
        await pause(RETRY_MS)
      }
    }
  }

  /** The reply of a run that has ended, from its record. Throws ValidationError unless the run took the same answer. */
  async function replyFromRecord(principal: Principal, interventionId: string, answer: Answer): Promise<AnswerReply> {
    const record = await db.inWorkspace(principal.workspace_id, tx => findIntervention(tx, interventionId))
    const open = record && toOpenIntervention(record)
    const verdict = evaluateAnswer(open, answer, principal, new Date().toISOString())
    if (record && open && verdict.type === 'repeated') return buildReply(record.job_id, open, verdict.vote)
    if (verdict.type === 'refused') throw toInvalid(verdict.message, verdict.pointer)
    throw new ValidationError('the intervention is closed')
  }
}

/** Names the author for operators. The same answer has the same id in each request. */
function toUpdateId(input: AnswerInput): string {
  const { via: _via, ...by } = input.by
  return `${input.action} by ${by.actor} ${hashCanonical({ ...input, by })}`
}

async function getInterventionOrThrow(tx: Tx, jobId: string, interventionId: string): Promise<InterventionRecord> {
  const found = await findIntervention(tx, interventionId)
  if (found && (found.job_id === jobId || found.root_job_id === jobId)) return found
  throw new ValidationError('The run has no intervention with this id', [
    { pointer: '/input/interventionId', message: 'must be the id of an intervention of this run' },
  ])
}

/** Throws Forbidden. A key that is bound to brains answers a run without a brain only as an assignee. */
function checkAnswerable(principal: Principal, { brain_id }: JobRecord, { assignees }: InterventionRecord): void {
  if (canWriteBrain(principal, brain_id) || isAssignee(principal, assignees)) return
  throw new Forbidden('The key is bound to brains and the run has none: only assignees may answer')
}

/** Throws Forbidden. The run checks this again; closed interventions have an earlier reason to refuse. */
function checkAssigned(principal: Principal, { status, assignees, excluded }: InterventionRecord): void {
  if (status !== 'open') return
  const { actor, groups } = principal
  const answerer = { actor, groups, person: toOtherPerson(principal) }
  const denied = assigneeProblem({ assignees, excluded: excluded ?? undefined }, answerer)
  if (denied) throw new Forbidden(denied)
}

const toAnswerer = (principal: Principal, request_id: string | undefined): AnswerInput['by'] => {
  const { actor, groups, key_id } = principal
  return { actor, groups, person: toOtherPerson(principal), via: { key_id, request_id } }
}

/** Lists the arguments that people cannot change, since the neuron sets them. */
const findFixed = (tool: RunTool | undefined, data: JsonValue): Problem[] =>
  Object.keys(tool?.fixed ?? {})
    .filter(name => isJsonObject(data) && Object.hasOwn(data, name))
    .map(name => ({ pointer: `/input/data/${escapePointer(name)}`, message: 'must not be given: the neuron sets it' }))

const hasData = ({ action, data }: Answer): boolean => data !== undefined && action !== 'reject'

/** The tool whose call is to be approved. Its parameters may be too long for the form. */
async function findProposedTool(
  tx: Tx,
  { job_id, node_key, node_id }: InterventionRecord,
): Promise<RunTool | undefined> {
  if (!isApprovalKey(node_key)) return undefined
  const spec = (await findRunSpec(tx, job_id)) as unknown as NeuronRunSpec | undefined
  return spec?.tools.find(({ alias }) => alias === node_id)
}

function toRefusal(error: unknown): unknown {
  const { type, message = '', details } = findRefusal(error) ?? {}
  if (type === 'NOT_ASSIGNED') return new Forbidden(message)
  return type === INVALID_INPUT || type === NOT_ASKED ? toInvalid(message, details?.[0]) : error
}

const toInvalid = (message: string, pointer: unknown): ValidationError =>
  new ValidationError(message, typeof pointer === 'string' ? [{ pointer, message }] : undefined)

function toOpenIntervention(record: InterventionRecord): OpenIntervention {
  const { decision, votes, status } = record
  return {
    intervention: { ...record, description: record.description ?? undefined } as unknown as Intervention,
    votes,
    decision: decision ?? undefined,
    closed: status === 'open' ? 'cancelled' : status,
  }
}
