import { addDuration, parseDurationMs } from '../../durations.ts'
import { shorten } from '../../expressions/expression.ts'
import { ACTIONS } from '../../jobs.ts'
import type { JsonSchema, JsonValue, Problem } from '../../json.ts'
import { isPrincipalName, PRINCIPAL_RULE } from '../../principal.ts'
import type { HumanNode } from '../definition.ts'
import type { InterventionRequest } from '../engine/commands.ts'
import { assigneeProblems } from './assignees.ts'
import { defineKind, DURATION, LINE, type Binding, TEXT, type NodeContext } from './kind.ts'
import { schemaProblems } from './schema-problems.ts'

const NAMES: JsonSchema = { type: 'array', items: LINE, maxItems: 100 }
const QUESTION: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    text: TEXT,
    options: { type: 'array', items: LINE, minItems: 1, maxItems: 100 },
  },
  required: ['id', 'text'],
  additionalProperties: false,
}

const TEXTS = ['title', 'description', 'context', 'questions', 'assignees'] as const

export const human = defineKind<'human'>({
  type: 'human',
  properties: {
    kind: { enum: ['approval', 'form', 'questions'] },
    description: TEXT,
    context: {},
    form: { type: 'object' },
    questions: { type: 'array', items: QUESTION, minItems: 1, maxItems: 50 },
    assignees: NAMES,
    due: DURATION,
    remind: { type: 'array', items: DURATION, maxItems: 20 },
    escalate: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        properties: { after: DURATION, to: { ...NAMES, minItems: 1 } },
        required: ['after', 'to'],
        additionalProperties: false,
      },
    },
    quorum: { type: 'integer', minimum: 1, maximum: 50 },
    exclude_requester: { type: 'boolean' },
  },
  required: ['kind'],
  allows: {},
  ports: node => [...ACTIONS[node.kind]],
  bindings: node =>
    TEXTS.flatMap((field): Binding[] =>
      node[field] === undefined ? [] : [{ at: `/${field}`, template: node[field] as JsonValue }],
    ),
  start(node, context) {
    const assignees = node.assignees ? (context.evaluate('/assignees') as JsonValue[]) : []
    const message = assigneeProblem(assignees)
    if (message !== undefined) return { type: 'failed', code: 'INVALID_ASSIGNEE', message }
    return { type: 'ask', request: buildRequest(node, context, [...new Set(assignees.flat().map(asLine))]) }
  },
  problems: humanProblems,
})

/** Returns the problem of the first evaluated assignee that cannot be a principal. An entry may be a list of names. */
function assigneeProblem(assignees: JsonValue[]): string | undefined {
  for (const [i, entry] of assignees.entries()) {
    const wrong = [entry]
      .flat()
      .map(asLine)
      .find(name => !isPrincipalName(name))
    if (wrong !== undefined) return `/assignees/${i} gives "${shorten(wrong)}": it ${PRINCIPAL_RULE}`
  }
  return undefined
}

function buildRequest(node: HumanNode, context: NodeContext, assignees: string[]): InterventionRequest {
  const text = (field: 'title' | 'description') =>
    node[field] === undefined ? undefined : asLine(context.evaluate(`/${field}`))
  return {
    kind: node.kind,
    title: text('title') ?? node.id,
    description: text('description'),
    context: node.context === undefined ? undefined : context.evaluate('/context'),
    form: node.form,
    questions: node.questions && (context.evaluate('/questions') as unknown as InterventionRequest['questions']),
    assignees,
    quorum: node.quorum ?? 1,
    excluded: node.exclude_requester ? context.person : undefined,
    due_at: node.due && addDuration(context.at, node.due),
    remind_at: (node.remind ?? []).map(delay => addDuration(context.at, delay)),
    escalate: (node.escalate ?? []).map(step => ({ at: addDuration(context.at, step.after), to: step.to })),
  }
}

const asLine = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

function humanProblems(node: HumanNode, { at }: { at: string }): Problem[] {
  const problems: Problem[] = []
  if ((node.kind === 'questions') !== (node.questions !== undefined)) {
    problems.push({
      pointer: `${at}/questions`,
      message: 'kind "questions" requires questions; no other kind may have them',
    })
  }
  if (node.kind === 'form' && !node.form)
    problems.push({ pointer: `${at}/form`, message: 'kind "form" requires a form, as a JSON Schema' })
  if (node.kind === 'questions' && node.form)
    problems.push({ pointer: `${at}/form`, message: 'kind "questions" must not have a form' })
  if (node.kind !== 'approval' && (node.quorum ?? 1) > 1)
    problems.push({ pointer: `${at}/quorum`, message: 'only an approval may have a quorum above 1' })
  const ids = node.questions?.map(question => question.id) ?? []
  ids.forEach((id, i) => {
    if (ids.indexOf(id) < i)
      problems.push({ pointer: `${at}/questions/${i}/id`, message: `duplicate question "${id}"` })
  })
  if (node.form) problems.push(...schemaProblems(node.form, `${at}/form`))
  return [...problems, ...assigneeProblems(node, at), ...timing(node, at)]
}

function timing(node: HumanNode, at: string): Problem[] {
  const due = node.due && parseDurationMs(node.due)
  if (!due) return []
  const late = (duration: string, pointer: string) =>
    (parseDurationMs(duration) ?? 0) >= due ? [{ pointer, message: `must be before the due time ${node.due}` }] : []
  return [
    ...(node.remind ?? []).flatMap((delay, i) => late(delay, `${at}/remind/${i}`)),
    ...(node.escalate ?? []).flatMap((step, i) => late(step.after, `${at}/escalate/${i}/after`)),
  ]
}
