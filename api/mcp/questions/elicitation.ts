import type { InputRequest } from '@modelcontextprotocol/server'
import type { Answer, Question, WaitingFor } from '../../../domain/people/intervention.ts'
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../domain/shared/json/json.ts'
import { isAssignee, type Principal } from '../../../domain/access/principal.ts'

/**
 * Converts the questions of runs to MCP forms (elicitation), which a host shows to its user. Form fields can have
 * only simple types. Other questions must be answered with `answer_question`.
 */

/** Returns the forms of the questions that the caller may answer, by intervention id. */
export function buildForms(waiting: WaitingFor[], principal: Principal): Record<string, InputRequest> {
  const forms = waiting.flatMap(question => {
    const mayAnswer = question.assignees.length === 0 || isAssignee(principal, question.assignees)
    const requestedSchema = mayAnswer ? buildSchema(question) : undefined
    if (!requestedSchema) return []
    const params = { mode: 'form', message: buildMessage(question), requestedSchema }
    return [[question.interventionId, { method: 'elicitation/create', params } as InputRequest] as const]
  })
  return Object.fromEntries(forms)
}

const MAX_CONTEXT_CHARS = 2_000

function buildMessage({ title, description, context }: WaitingFor): string {
  const contextText = context === undefined ? undefined : JSON.stringify(context, null, 2)
  const cut =
    contextText && contextText.length > MAX_CONTEXT_CHARS ? `${contextText.slice(0, MAX_CONTEXT_CHARS)}…` : contextText
  return [title, description, cut].filter(part => part !== undefined).join('\n\n')
}

function buildSchema({ kind, form, questions = [] }: WaitingFor): JsonSchema | undefined {
  if (kind === 'approval') return APPROVAL
  if (kind === 'form') return form && isFlat(form) ? { type: 'object', ...pickFields(form) } : undefined
  return {
    type: 'object',
    properties: Object.fromEntries(questions.map(question => [question.id, buildField(question)])),
    required: questions.map(({ id }) => id),
  }
}

const APPROVAL: JsonSchema = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'] },
    comment: { type: 'string', title: 'Comment' },
  },
  required: ['decision'],
}

const buildField = ({ text, options }: Question): JsonObject => ({
  type: 'string',
  title: text,
  ...(options && { enum: options }),
})

const pickFields = ({ properties = {}, required = [] }: JsonSchema): JsonSchema => ({ properties, required })

const SIMPLE = new Set<unknown>(['string', 'number', 'integer', 'boolean'])

/** Keywords allowed in an MCP form field. */
const KEYWORDS = new Set('type title description default enum format minLength maxLength minimum maximum'.split(' '))

function isFlat({ properties }: JsonSchema): boolean {
  if (!isJsonObject(properties)) return false
  return Object.values(properties).every(
    field => isJsonObject(field) && SIMPLE.has(field.type) && Object.keys(field).every(key => KEYWORDS.has(key)),
  )
}

/** The host's response to a form. */
interface FormResult {
  action?: unknown
  content?: unknown
}

/**
 * Returns the answer in a filled form, or undefined if the person has not decided. A declined form counts as an
 * answer only if the run accepts it.
 */
export function readAnswer({ kind }: Pick<WaitingFor, 'kind'>, result: unknown): Answer | undefined {
  const { action, content } = (isJsonObject(result) ? result : {}) as FormResult
  if (action === 'decline' && kind === 'questions') return { action: 'decline_questions' }
  if (action !== 'accept') return undefined
  const fields = isJsonObject(content) ? content : {}
  if (kind === 'form') return { action: 'submit_input', data: fields }
  if (kind === 'questions') return { action: 'answer_questions', answers: stringifyFields(fields) }
  const { decision } = fields
  return decision === 'approve' || decision === 'reject' ? { action: decision, ...pickComment(fields) } : undefined
}

const pickComment = ({ comment }: JsonObject) => (typeof comment === 'string' && comment !== '' ? { comment } : {})

const stringifyFields = (fields: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([id, value]) => [id, stringifyValue(value)]))

const stringifyValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
