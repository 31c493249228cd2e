import { parseDurationMs } from '../../shared/durations.ts'
import { ExpressionError, shorten } from '../expressions/expression-error.ts'
import { hasExpression } from '../expressions/template.ts'
import { removeInvisible } from '../../shared/text/invisible.ts'
import { ACTIONS, type Question } from '../../people/intervention.ts'
import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../../shared/json/json.ts'
import { escapePointer } from '../../shared/json/json-pointer.ts'
import { isPrincipalName, PRINCIPAL_RULE, isGroupName, principalProblems } from '../../access/principal.ts'
import type { WorkingCalendar } from '../../people/working-time.ts'
import type { InterventionRequest } from '../engine/commands.ts'
import { type PlainKind, type NodeFields, type NodeOf, LINE, type Binding, TEXT, type NodeContext } from './kind.ts'
import { MOMENT, momentProblems, readMoment, WORKING_RULE } from './moments.ts'
import { schemaProblems } from './schema-problems.ts'

const NAMES = { type: 'array', items: LINE, maxItems: 100 } as const
const QUESTION = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    text: TEXT,
    options: { type: 'array', items: LINE, minItems: 1, maxItems: 100 },
  },
  required: ['id', 'text'],
  additionalProperties: false,
} as const

/** Names of working calendars. */
export const CALENDAR_NAME = '^[a-z][a-z0-9-]{0,62}$'

const MAX_QUORUM = 50

/** Properties that may contain expressions. */
const TEMPLATES = [
  'title',
  'description',
  'context',
  'questions',
  'assignees',
  'due',
  'remind',
  'escalate',
  'quorum',
] as const

const fields = {
  properties: {
    kind: { enum: ['approval', 'form', 'questions'] },
    description: TEXT,
    context: {},
    form: { type: 'object' },
    questions: { type: 'array', items: QUESTION, minItems: 1, maxItems: 50 },
    assignees: NAMES,
    /** A duration after the task opens, or a time. Like `remind`, `escalate` and `quorum`, it may be an expression. */
    due: MOMENT,
    remind: { type: 'array', items: MOMENT, maxItems: 20 },
    escalate: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        properties: { after: MOMENT, to: { ...NAMES, minItems: 1 } },
        required: ['after', 'to'],
        additionalProperties: false,
      },
    },
    quorum: { type: ['integer', 'string'], minimum: 1, maximum: MAX_QUORUM, minLength: 1, maxLength: 500 },
    exclude_requester: { type: 'boolean' },
    /** Name of a calendar. With a calendar, durations are working time. */
    calendar: { type: 'string', pattern: CALENDAR_NAME },
  },
  required: ['kind'],
} as const satisfies NodeFields

/** A run stores the calendar itself, as it was when the run started. */
export type HumanNode = NodeOf<'human', typeof fields, { calendar?: string | WorkingCalendar }>

export const human: PlainKind<HumanNode> = {
  type: 'human',
  fields,
  allows: {},
  ports: node => [...ACTIONS[node.kind]],
  isOpaque: true,
  sinks: () => ['/assignees', '/escalate', '/quorum'],
  bindings: node => [
    ...TEMPLATES.flatMap((field): Binding[] =>
      node[field] === undefined ? [] : [{ at: `/${field}`, template: node[field] }],
    ),
    ...listDefaults(node.form, '/form'),
  ],
  start(node, context) {
    const assignees = node.assignees ? (context.evaluate('/assignees') as JsonValue[]) : []
    const escalate = node.escalate ? (context.evaluate('/escalate') as unknown as Escalation[]) : []
    const message =
      emptyProblem(assignees, context) ??
      assigneeProblem(assignees, '/assignees') ??
      escalate.map(({ to }, i) => assigneeProblem(to, `/escalate/${i}/to`)).find(problem => problem !== undefined)
    if (message !== undefined) return { type: 'failed', code: 'INVALID_ASSIGNEE', message }
    return { type: 'ask', request: buildRequest(node, context, flattenNames(assignees), escalate) }
  },
  problems: humanProblems,
}

const hasTemplate = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && hasExpression(JSON.stringify(value))

/** Lists the form field defaults that contain expressions. They are evaluated when the task opens. */
function listDefaults(schema: JsonValue | undefined, at: string): { at: string; template: JsonValue }[] {
  if (!isJsonObject(schema)) return []
  const ownDefault = hasTemplate(schema.default) ? [{ at: `${at}/default`, template: schema.default }] : []
  const fields = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return [...ownDefault, ...fields.flatMap(([name, field]) => listDefaults(field, buildFieldPointer(at, name)))]
}

function fillDefaults({ default: template, ...schema }: JsonSchema, at: string, context: NodeContext): JsonSchema {
  const fields = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const fill = (name: string, field: JsonValue) =>
    isJsonObject(field) ? fillDefaults(field, buildFieldPointer(at, name), context) : field
  return {
    ...schema,
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map(([name, field]) => [name, fill(name, field)])),
    }),
    ...(hasTemplate(template) ? evaluateDefault(schema, at, context) : template !== undefined && { default: template }),
  }
}

/** Evaluates a default. Without a value, a field whose type excludes null has no default. */
function evaluateDefault({ type = 'null' }: JsonSchema, at: string, context: NodeContext): JsonSchema {
  const value = context.evaluate(`${at}/default`)
  return value === null && ![type].flat().includes('null') ? {} : { default: value }
}

const buildFieldPointer = (at: string, name: string) => `${at}/properties/${escapePointer(name)}`

/** An evaluated escalation step. */
interface Escalation {
  after: JsonValue
  to: JsonValue[]
}

const flattenNames = (assignees: JsonValue[]): string[] => [...new Set(assignees.flat().map(asLine))]

/** Returns the problem with assignees that evaluate to no one. Without it, everyone could answer. */
const emptyProblem = (assignees: JsonValue[], { allowsNoAssignees }: NodeContext): string | undefined =>
  assignees.length > 0 && assignees.flat().length === 0 && !allowsNoAssignees
    ? '/assignees evaluates to an empty list: it must name at least one person or group'
    : undefined

/**
 * Returns the problem with the first evaluated assignee that cannot be a principal. An entry may be a list of names.
 */
function assigneeProblem(assignees: JsonValue[], pointer: string): string | undefined {
  for (const [i, entry] of assignees.entries()) {
    const wrong = [entry]
      .flat()
      .map(asLine)
      .find(name => !isPrincipalName(name))
    if (wrong !== undefined) return `${pointer}/${i} evaluates to "${shorten(wrong)}": it ${PRINCIPAL_RULE}`
  }
  return undefined
}

function buildRequest(
  node: HumanNode,
  context: NodeContext,
  assignees: string[],
  escalate: Escalation[],
): InterventionRequest {
  const text = (field: 'title' | 'description') =>
    node[field] === undefined ? undefined : sanitizeText(context.evaluate(`/${field}`))
  // In a dry run, only the calendar's name is known.
  const calendar = typeof node.calendar === 'object' ? node.calendar : undefined
  return {
    kind: node.kind,
    title: text('title') ?? node.id,
    description: text('description'),
    context: node.context === undefined ? undefined : context.evaluate('/context'),
    form: node.form && fillDefaults(node.form, '/form', context),
    questions: node.questions && parseQuestions(context.evaluate('/questions')),
    assignees,
    quorum: node.quorum === undefined ? 1 : readQuorum(context.evaluate('/quorum')),
    excluded: node.exclude_requester ? context.people : undefined,
    due_at: node.due === undefined ? undefined : readDue(context, calendar),
    remind_at: node.remind ? readReminders(context, calendar) : [],
    escalate: escalate.map(({ after, to }, i) => ({
      at: readMoment(after, context.at, `/escalate/${i}/after`, calendar),
      to: flattenNames(to),
    })),
  }
}

/** Returns the due time. An expression that returns null sets no due time. */
function readDue(context: NodeContext, calendar?: WorkingCalendar): string | undefined {
  const due = context.evaluate('/due')
  return due === null ? undefined : readMoment(due, context.at, '/due', calendar)
}

const readReminders = (context: NodeContext, calendar?: WorkingCalendar): string[] =>
  (context.evaluate('/remind') as JsonValue[]).map((delay, i) =>
    readMoment(delay, context.at, `/remind/${i}`, calendar),
  )

function readQuorum(value: JsonValue): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_QUORUM) return value
  const message = `/quorum evaluates to ${shorten(JSON.stringify(value))}: it must be a whole number from 1 to ${MAX_QUORUM}`
  throw new ExpressionError('EXPRESSION_FAILED', message)
}

const asLine = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
const sanitizeText = (value: JsonValue): string => removeInvisible(asLine(value))

/** Parses questions. An expression may return a value that is not a string. */
const parseQuestions = (value: JsonValue): Question[] =>
  (value as unknown as EvaluatedQuestion[]).map(({ id, text, options }) =>
    Object.assign({ id, text: sanitizeText(text) }, options && { options: options.map(sanitizeText) }),
  )

interface EvaluatedQuestion {
  id: string
  text: JsonValue
  options?: JsonValue[]
}

function humanProblems(node: HumanNode, { at }: { at: string }): Problem[] {
  const problems: Problem[] = []
  if ((node.kind === 'questions') !== (node.questions !== undefined)) {
    problems.push({
      pointer: `${at}/questions`,
      message: 'kind "questions" requires questions; other kinds must not have them',
    })
  }
  if (node.kind === 'form' && !node.form)
    problems.push({ pointer: `${at}/form`, message: 'kind "form" requires a form, as a JSON Schema' })
  if (node.kind === 'questions' && node.form)
    problems.push({ pointer: `${at}/form`, message: 'kind "questions" must not have a form' })
  if (node.kind !== 'approval' && (node.quorum ?? 1) !== 1)
    problems.push({ pointer: `${at}/quorum`, message: 'only an approval may have a quorum above 1' })
  if (typeof node.quorum === 'string' && !hasExpression(node.quorum))
    problems.push({ pointer: `${at}/quorum`, message: 'must be a number or an expression' })
  const ids = node.questions?.map(question => question.id) ?? []
  ids.forEach((id, i) => {
    if (ids.indexOf(id) < i)
      problems.push({ pointer: `${at}/questions/${i}/id`, message: `duplicate question "${id}"` })
  })
  if (node.form) problems.push(...schemaProblems(node.form, `${at}/form`))
  return [...problems, ...assigneeProblems(node, at), ...timing(node, at)]
}

function timing(node: HumanNode, at: string): Problem[] {
  const { remind = [], escalate = [] } = node
  const unknown = [
    ...(node.due === undefined ? [] : momentProblems(node.due, `${at}/due`)),
    ...remind.flatMap((delay, i) => momentProblems(delay, `${at}/remind/${i}`)),
    ...escalate.flatMap(({ after }, i) => momentProblems(after, `${at}/escalate/${i}/after`)),
  ]
  if (node.calendar !== undefined) {
    const durations: [duration: string | undefined, pointer: string][] = [
      [node.due, `${at}/due`],
      ...remind.map((delay, i): [string, string] => [delay, `${at}/remind/${i}`]),
      ...escalate.map(({ after }, i): [string, string] => [after, `${at}/escalate/${i}/after`]),
    ]
    for (const [duration, pointer] of durations)
      if (duration && /^P.*(?:W|\.\d+D)/.test(duration)) unknown.push({ pointer, message: WORKING_RULE })
  }
  const due = node.due && parseDurationMs(node.due)
  if (!due) return unknown
  const late = (duration: string, pointer: string) =>
    (parseDurationMs(duration) ?? 0) >= due ? [{ pointer, message: `must be before the due time ${node.due}` }] : []
  return [
    ...unknown,
    ...remind.flatMap((delay, i) => late(delay, `${at}/remind/${i}`)),
    ...escalate.flatMap((step, i) => late(step.after, `${at}/escalate/${i}/after`)),
  ]
}

/** Lists the problems with a node's assignees. Names with expressions are validated when the task opens. */
function assigneeProblems(node: HumanNode, at: string): Problem[] {
  const { assignees = [], escalate = [] } = node
  const names = principalProblems(assignees, `${at}/assignees`, hasExpression)
  const later = escalate.flatMap(({ to }, i) => principalProblems(to, `${at}/escalate/${i}/to`, hasExpression))
  return [...names, ...later, ...quorumProblems(node, at)]
}

/**
 * Reports a quorum that exceeds the number of assignees. The size of groups and expressions is unknown at this point.
 */
function quorumProblems({ assignees = [], escalate = [], quorum = 1 }: HumanNode, at: string): Problem[] {
  const everyone = new Set([...assignees, ...escalate.flatMap(({ to }) => to)])
  const isOpen = assignees.length === 0 || [...everyone].some(name => hasExpression(name) || isGroupName(name))
  if (isOpen || typeof quorum === 'string' || quorum <= everyone.size) return []
  return [{ pointer: `${at}/quorum`, message: `must be at most ${everyone.size}, the number of people who may answer` }]
}
