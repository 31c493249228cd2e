import type { LoopCommand } from '../../domain/neurons/loop.ts'
import type { Decision } from '../../domain/neurons/loop.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Asking } from '../../domain/pathway/engine/commands.ts'
import { approvalKey, callKey, stepKey } from './keys.ts'

type Of<T extends LoopCommand['type']> = Extract<LoopCommand, { type: T }>

interface Asked {
  key: string
  node: { id: string }
  asking: Asking
}

const LONGEST_TITLE = 300
const PLAIN = { quorum: 1, remind_at: [], escalate: [], assignees: [] }

/** Whether a call of a tool may be made. Agreed to with `data`, it is made with that as its arguments. */
export function approvalAsking({ step, call }: Of<'approve'>): Asked {
  const { name, shown, approval } = call
  return {
    key: approvalKey(step, call),
    node: { id: name },
    asking: {
      ...PLAIN,
      kind: 'approval',
      title: `May ${name} be called?`,
      context: { tool: name, arguments: shown ?? null },
      assignees: approval?.assignees ?? [],
      ...(approval?.form && { form: approval.form }),
    },
  }
}

/** What the model asks a person. */
export function questionAsking({ step, call }: Of<'ask'>): Asked {
  const { question, options } = (call.shown ?? {}) as { question?: JsonValue; options?: JsonValue }
  const text = typeof question === 'string' && question.trim() ? question : 'The agent asks for your input'
  return {
    key: callKey(step, call),
    node: { id: call.name },
    asking: {
      ...PLAIN,
      kind: 'questions',
      title: text.replaceAll(/\s+/g, ' ').slice(0, LONGEST_TITLE),
      questions: [{ id: 'answer', text, ...(isChoice(options) && { options }) }],
    },
  }
}

const isChoice = (options: unknown): options is string[] =>
  Array.isArray(options) && options.length > 0 && options.every(option => typeof option === 'string')

/** Whether a run that has used up its budget may go on; `data.budget_usd` is the new limit. */
export function budgetAsking({ step, spent_usd, budget_usd }: Of<'overspent'>): Asked {
  return {
    key: `${stepKey(step)}/budget`,
    node: { id: 'budget' },
    asking: {
      ...PLAIN,
      kind: 'approval',
      title: `The run has cost ${usd(spent_usd)}, above its budget of ${usd(budget_usd)}. May it go on?`,
      context: { spent_usd, budget_usd },
      form: {
        type: 'object',
        properties: { budget_usd: { type: 'number', exclusiveMinimum: spent_usd } },
        required: ['budget_usd'],
      },
    },
  }
}

const usd = (amount: number): string => `${Number(amount.toPrecision(3))} USD`

/** What a person said to an approval. */
export function decisionOf(output: unknown): Decision {
  const { action, by, comment, data } = output as { action: string; by: string; comment?: string; data?: JsonValue }
  return { action: action === 'approve' ? 'approve' : 'reject', by, comment, data }
}

/** What a person answered, as the model gets it. */
export function answerOf(output: unknown): { output: JsonObject; is_error?: boolean } {
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
