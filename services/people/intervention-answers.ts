import { WorkflowNotFoundError } from '@temporalio/client'
import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import { listAbsent } from '../../data/people/absences-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findIntervention, type InterventionRecord } from '../../data/people/interventions-store.ts'
import { findRunSpec } from '../../data/agents/traces-store.ts'
import { listFileValues } from '../../domain/documents/file-fields.ts'
import { Forbidden, ValidationError } from '../../domain/shared/errors.ts'
import { assigneeProblem, countApprovals, evaluateAnswer, buildReply } from '../../domain/people/answering.ts'
import type { Answer, AnswerReply } from '../../domain/people/intervention.ts'
import type { JobRecord } from '../../data/runs/jobs-store.ts'
import { isJsonObject, type JsonValue, type Problem } from '../../domain/shared/json/json.ts'
import { escapePointer } from '../../domain/shared/json/json-pointer.ts'
import type { NeuronRunSpec, RunTool } from '../../domain/agents/run-spec.ts'
import { isAssignee, type Principal, findOtherPerson } from '../../domain/access/principal.ts'
import { isApprovalKey } from '../../workflows/agents/keys.ts'
import type { AnswerInput } from '../../workflows/shared/run/messages.ts'
import { canWriteBrain } from '../access/brains.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../shared/idempotency.ts'
import type { Temporal } from '../shared/temporal.ts'
import { getJob } from '../runs/find.ts'
import { attachFormFiles } from './form-files.ts'
import { markClosed, toOpenIntervention } from './open-intervention.ts'
import { refuseSecondAnswer, sendAnswer } from './pending-answers.ts'
import { invalidInputError, refusalError } from '../runs/run-messages.ts'
import type { JobsService } from '../runs/jobs.ts'

interface Deps {
  db: Database
  temporal: Temporal
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
  evaluator: Evaluator
}

/**
 * Sends answers to the runs that requested them. The data is validated here, because workflows cannot compile
 * schemas. The run validates everything else before the answer becomes part of the run's history.
 */
export function createInterventionAnswers({ db, temporal, idempotencyKeys, evaluator }: Deps): JobsService['answer'] {
  return async (principal, jobId, interventionId, answer, idempotency) => {
    const { record, tool, absent } = await db.inWorkspace(principal.workspace_id, async tx => {
      const [job, intervention, absent] = await Promise.all([
        getJob(tx, principal, jobId),
        getIntervention(tx, jobId, interventionId),
        listAbsent(tx, principal.actor),
        idempotencyKeys.claim(tx, idempotency, jobId),
      ])
      checkAnswerable(principal, job, intervention, absent)
      const tool = hasData(answer) ? await findProposedTool(tx, intervention) : undefined
      return { record: intervention, tool, absent }
    })
    await validateData(principal, answer, record, { tool, absent })
    const input = { ...answer, interventionId, by: buildAnswerer(principal, absent, db.requestId()) }
    const pendingAnswer = { intervention_id: interventionId, update_id: buildUpdateId(input), actor: principal.actor }
    refuseSecondAnswer(record, pendingAnswer)
    const pending = record.pending_answers?.find(({ update_id }) => update_id === pendingAnswer.update_id)
    if (pending) return replyPending(record, answer, pending)
    try {
      const { workspace_id } = principal
      const reply = await sendAnswer({ db, temporal }, { ...pendingAnswer, workspace_id, job_id: record.job_id, input })
      return reply ?? replyPending(record, answer, { by: principal.actor, at: new Date().toISOString() })
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return replyFromRecord(principal, interventionId, answer)
      throw refusalError(error)
    }
  }

  /** Also attaches the files of a form. Throws ValidationError, and Forbidden for a person who may not answer. */
  async function validateData(
    principal: Principal,
    answer: Answer,
    record: InterventionRecord,
    { tool, absent }: { tool: RunTool | undefined; absent: string[] },
  ): Promise<void> {
    const schema = tool?.parameters ?? record.form
    const { data } = answer
    // In a tool approval, null stands for the proposed arguments.
    if (!schema || data === undefined || !hasData(answer) || (tool && data === null)) return
    checkAssigned(principal, record, absent)
    const { workspace_id } = principal
    const at = '/input/data'
    const problems = await evaluator.evaluate(workspace_id, 'findSchemaProblems', schema, data, at)
    problems.push(...findFixed(tool, data))
    if (problems.length === 0) {
      if (!tool && listFileValues(schema, data, at).length > 0) {
        const form = { schema, value: data, at }
        await db.inWorkspace(workspace_id, tx => attachFormFiles(evaluator, tx, principal, record, form))
      }
      return
    }
    const message = tool ? `The data must match the parameters of ${tool.alias}` : 'The data must match the form'
    throw new ValidationError(message, problems)
  }

  /**
   * Builds an ended run's reply from the intervention's record. Throws ValidationError unless the run accepted the
   * same answer.
   */
  async function replyFromRecord(principal: Principal, interventionId: string, answer: Answer): Promise<AnswerReply> {
    const record = await db.inWorkspace(principal.workspace_id, tx => findIntervention(tx, interventionId))
    const open = record && markClosed(toOpenIntervention(record))
    const verdict = evaluateAnswer(open, answer, principal, new Date().toISOString())
    if (record && open && verdict.type === 'repeated') return buildReply(record.job_id, open, verdict.vote)
    if (verdict.type === 'refused') throw invalidInputError(verdict.message, verdict.pointer)
    throw new ValidationError('the intervention is closed')
  }
}

/** Builds the reply to an answer that the run may still accept. */
const replyPending = (
  record: InterventionRecord,
  { action }: Answer,
  { by, at }: { by: string; at: string },
): AnswerReply => ({
  job_id: record.job_id,
  interventionId: record.id,
  action,
  by,
  at,
  decided: false,
  approvals: countApprovals(record.votes, record.excluded),
  quorum: record.quorum,
  pending: true,
})

/** The id includes the author, for operators. The same answer has the same id in every request. */
function buildUpdateId(input: AnswerInput): string {
  const { via: _via, stands_in_for: _absent, ...by } = input.by
  return `${input.action} by ${by.actor} ${hashCanonical({ ...input, by })}`
}

async function getIntervention(tx: Tx, jobId: string, interventionId: string): Promise<InterventionRecord> {
  const record = await findIntervention(tx, interventionId)
  if (record && (record.job_id === jobId || record.root_job_id === jobId)) return record
  throw new ValidationError('The run has no intervention with this id', [
    { pointer: '/input/interventionId', message: 'must be the id of an intervention in this run' },
  ])
}

/**
 * Throws Forbidden. For a run without a brain, a brain-bound key may answer only as an assignee.
 * @param absent absent people for whom the caller is the substitute
 */
export function checkAnswerable(
  principal: Principal,
  { brain_id }: JobRecord,
  { assignees }: InterventionRecord,
  absent: string[],
): void {
  if (canWriteBrain(principal, brain_id) || isAssignee(principal, assignees)) return
  if (absent.some(name => assignees.includes(name))) return
  throw new Forbidden('The key is bound to brains and the run has no brain: only assignees may answer')
}

/**
 * Throws Forbidden if the principal is not assigned. The run repeats this check. Closed interventions are rejected
 * first, because they are closed.
 */
function checkAssigned(principal: Principal, record: InterventionRecord, absent: string[]): void {
  const { status, assignees, excluded, handling, votes } = record
  if (status !== 'open') return
  const denied = assigneeProblem({ assignees, excluded, ...handling, votes }, buildAnswerer(principal, absent))
  if (denied) throw new Forbidden(denied)
}

/** Identifies the caller to the run, with the credential and request for the audit log. */
export const buildAnswerer = (principal: Principal, absent: string[], request_id?: string): AnswerInput['by'] => {
  const { actor, people, groups, key_id } = principal
  const person = findOtherPerson(principal)
  return {
    actor,
    groups,
    person,
    people,
    ...(absent.length > 0 && { stands_in_for: absent }),
    via: { key_id, request_id },
  }
}

/** Lists arguments that people cannot change because the neuron sets them. */
const findFixed = (tool: RunTool | undefined, data: JsonValue): Problem[] =>
  Object.keys(tool?.fixed ?? {})
    .filter(name => isJsonObject(data) && Object.hasOwn(data, name))
    .map(name => ({
      pointer: `/input/data/${escapePointer(name)}`,
      message: 'must not be given, because the neuron sets it',
    }))

const hasData = ({ action, data }: Answer): boolean => data !== undefined && action !== 'reject'

/** Returns the tool whose call needs approval. The tool's parameters may be too long for the form. */
async function findProposedTool(
  tx: Tx,
  { job_id, node_key, node_id }: InterventionRecord,
): Promise<RunTool | undefined> {
  if (!isApprovalKey(node_key)) return undefined
  const spec = (await findRunSpec(tx, job_id)) as unknown as NeuronRunSpec | undefined
  return spec?.tools.find(({ alias }) => alias === node_id)
}
