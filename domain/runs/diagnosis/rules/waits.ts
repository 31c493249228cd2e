import type { WaitingFor } from '../../../people/intervention.ts'
import { isJsonObject } from '../../../shared/json/json.ts'
import type { Finding } from '../diagnosis.ts'
import type { OpenQuestion, OpenWait, RunFacts } from '../facts.ts'
import { compareEnds } from '../open-waits.ts'
import { isTriggerName, isVisitorName } from '../../../access/principal.ts'
import { describeQuestion, describeWait, PAUSED } from '../sentences.ts'
import { findWaitingChild } from './children.ts'

/** Returns whether the task is an agent's request to exceed its budget. */
const isBudgetRequest = ({ kind, node_id, context }: WaitingFor): boolean =>
  kind === 'approval' && node_id === 'budget' && isJsonObject(context) && typeof context.spent_usd === 'number'

/** Finds why a run is idle: it is paused, or it is waiting for people, an event, a time or another run. */
export function findWait(facts: RunFacts, at: string): Finding | undefined {
  const { job, pause, run } = facts
  if (job.status === 'paused') return describePause(pause)
  if (typeof run === 'object' && run.activities.length > 0) return undefined
  const questions = facts.questions.toSorted(
    (a, b) => a.opened_at.localeCompare(b.opened_at) || a.interventionId.localeCompare(b.interventionId),
  )
  const [first] = questions
  if (first && job.status === 'waiting') return describeOpenQuestion(first, questions, at)
  const [wait] = facts.waits.toSorted(compareEnds)
  if (wait && (wait.event !== undefined || wait.until !== undefined)) return describeOpenWait(wait, facts.waits)
  if (job.status === 'waiting') return findWaitingChild(facts)
  return job.status === 'pending' && job.has_turn ? describeTurn(job) : undefined
}

const describePause = ({ by, at }: NonNullable<RunFacts['pause']> = {}): Finding => ({
  cause: 'paused',
  since: at,
  message: PAUSED,
  action: 'Resume the run',
  evidence: { ...(by !== undefined && { by }), ...(at !== undefined && { at }) },
})

function describeOpenQuestion(question: OpenQuestion, all: OpenQuestion[], at: string): Finding {
  const { interventionId, node_id, opened_at, due_at, quorum, approvals, job_id, excluded = [] } = question
  const eligible = question.assignees.filter(name => !excluded.includes(name))
  const assignees = eligible.length > 0 ? eligible : question.assignees
  const isOverdue = due_at !== undefined && due_at < at
  const isBudget = isBudgetRequest(question)
  const more = all.length > 1 ? `. Other open tasks: ${all.length - 1}` : ''
  return {
    cause: isBudget ? 'budget_reached' : 'waits_for_people',
    since: opened_at,
    message: describeQuestion({ ...question, assignees }) + more,
    action: isBudget
      ? "Approve more budget, or reject to end the agent's run"
      : isOverdue
        ? 'The due time passed while the run could not continue. Resume the run, or answer the task'
        : describeAnswer(question, eligible),
    evidence: {
      intervention_id: interventionId,
      node_id,
      assignees,
      opened_at,
      is_overdue: isOverdue,
      open: all.length,
      ...(due_at !== undefined && { due_at }),
      ...(quorum > 1 && { approvals, quorum }),
      ...(job_id !== undefined && { job_id }),
      ...(isBudget && { limit: 'budget' }),
    },
  }
}

/** Lists who may answer. Excludes people behind the run who may not decide. */
function describeAnswer({ assignees, excluded = [] }: OpenQuestion, eligible: string[]): string {
  if (assignees.length > 0 && assignees.every(isVisitorName)) return 'Wait for the visitor, or reassign the task'
  if (assignees.length > 0 && assignees.every(isTriggerName)) return 'Reassign the task: triggers cannot answer tasks'
  if (eligible.length > 0) return `Answer it, or ask ${eligible.join(' or ')} to answer`
  if (assignees.length > 0) return 'Reassign the task: all its assignees are behind the run and may not decide'
  return excluded.length > 0 ? 'Answer it. Anyone who is not behind the run may answer' : 'Answer it. Anyone may answer'
}

function describeOpenWait(wait: OpenWait, all: OpenWait[]): Finding {
  const { key, since, until, event, deadline } = wait
  const evidence = {
    node_key: key,
    open: all.length,
    ...(until !== undefined && { until }),
    ...(event !== undefined && { event }),
    ...(deadline !== undefined && { deadline }),
  }
  const message = describeWait(wait)
  return event === undefined
    ? { cause: 'waits_for_time', since, message, action: 'Wait, or resume the run to end the wait now', evidence }
    : {
        cause: 'waits_for_event',
        since,
        message,
        action: `Send the event ${event}, or resume the run without it`,
        evidence,
      }
}

const EARLIER = /^waits for (.+)$/

function describeTurn({ created_at, current_step }: RunFacts['job']): Finding {
  const [, job_id] = EARLIER.exec(current_step ?? '') ?? []
  return {
    cause: 'waits_for_turn',
    since: created_at,
    message: `Waiting for ${job_id ?? 'the previous run'} in the same thread to end`,
    action: 'Check the previous run in the thread',
    evidence: job_id === undefined ? {} : { job_id },
  }
}
