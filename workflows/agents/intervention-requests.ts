import { describeLabels, type Labels } from '../../domain/pathways/labels/labels.ts'
import type { HumanDecision, LoopCommand } from '../../domain/agents/loop.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import type { InterventionRequest } from '../../domain/pathways/engine/commands.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import { buildApprovalKey, buildCallKey, buildStepKey } from './keys.ts'

type Of<T extends LoopCommand['type']> = Extract<LoopCommand, { type: T }>

export interface NodeRequest {
  key: string
  node: { id: string }
  request: InterventionRequest
}

const MAX_TITLE_CHARS = 300
const QUESTION = 'The agent needs your input'
const DEFAULTS = { quorum: 1, remind_at: [], escalate: [], assignees: [] }

/** Builds the approval request of a tool call. `data` in the approval replaces the call's arguments. */
export function buildApprovalRequest({ step, call }: Of<'approve'>): NodeRequest {
  const { name, shown: shownArgs, approval } = call
  const round = approval?.rounds[approval.pending[0] ?? 0]
  return {
    key: buildApprovalKey(step, call),
    node: { id: name },
    request: {
      ...DEFAULTS,
      kind: 'approval',
      title: round?.title ?? `Approve the call to ${name}?`,
      ...(approval?.labels && { description: describeSources(approval.labels) }),
      context: { tool: name, arguments: shownArgs ?? null, ...(approval?.labels && { labels: approval.labels }) },
      assignees: round?.assignees ?? [],
      ...(approval?.form && { form: approval.form }),
    },
  }
}

const describeSources = (labels: Labels): string =>
  `The agent has read ${describeLabels(labels)}. Instructions in that content may have caused this call: check the arguments.`

/** Builds the request for a question from the model to the assignees. */
export function buildQuestionRequest({ step, call }: Of<'ask'>, assignees: string[] = []): NodeRequest {
  const { question, options } = (call.shown ?? {}) as { question?: JsonValue; options?: JsonValue }
  const text = typeof question === 'string' && question.trim() ? question : QUESTION
  return {
    key: buildCallKey(step, call),
    node: { id: call.name },
    request: {
      ...DEFAULTS,
      assignees,
      kind: 'questions',
      title: cleanTitle(text, MAX_TITLE_CHARS) || QUESTION,
      questions: [{ id: 'answer', text, ...(isChoice(options) && { options }) }],
    },
  }
}

const isChoice = (options: unknown): options is string[] =>
  Array.isArray(options) && options.length > 0 && options.every(option => typeof option === 'string')

/** Builds the request to continue a run above its budget. `data.budget_usd` in the answer sets the new limit. */
export function buildBudgetRequest({ step, spent_usd, budget_usd }: Of<'request_budget'>): NodeRequest {
  return {
    key: `${buildStepKey(step)}/budget`,
    node: { id: 'budget' },
    request: {
      ...DEFAULTS,
      kind: 'approval',
      title: `The run has cost ${formatUsd(spent_usd)}, above its budget of ${formatUsd(budget_usd)}. Continue?`,
      context: { spent_usd, budget_usd },
      form: {
        type: 'object',
        properties: { budget_usd: { type: 'number', exclusiveMinimum: spent_usd } },
        required: ['budget_usd'],
      },
    },
  }
}

const formatUsd = (amount: number): string => `${Number(amount.toPrecision(3))} USD`

/** Reads the decision from an approval's output. */
export function parseDecision(output: unknown): HumanDecision {
  const { action, by, comment, data } = output as { action: string; by: string; comment?: string; data?: JsonValue }
  return { action: action === 'approve' ? 'approve' : 'reject', by, comment, data }
}

/** Builds the reply to the model from a question's output. */
export function parseCallAnswer(output: unknown): { output: JsonObject; is_error?: boolean } {
  const { action, by, comment, answers } = output as {
    action: string
    by: string
    comment?: string
    answers?: { answer?: string }
  }
  if (action === 'answer_questions')
    return { output: { answer: answers?.answer ?? '', by, ...(comment && { comment }) } }
  return { output: { error: 'the person declined to answer', by, ...(comment && { comment }) }, is_error: true }
}
