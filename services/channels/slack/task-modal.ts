import type { InputBlock, KnownBlock, ModalView } from '@slack/web-api'
import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import type { Answer, Question } from '../../../domain/people/intervention.ts'
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../domain/shared/json/json.ts'
import { unescapePointer } from '../../../domain/shared/json/json-pointer.ts'
import { isApprovalKey } from '../../../workflows/agents/keys.ts'
import { readTitle } from '../describe-task.ts'
import type { ButtonValue } from './task-blocks.ts'
import { plain } from './text.ts'

/** Identifies the modal with a task's form. */
export const TASK_MODAL = 'task'

/** The task that an interaction answers, and the conversation in which the person sees the result. */
export interface Target extends ButtonValue {
  conversation: string
}

/** Slack allows 100 blocks in a modal and 100 options in a select. */
const MAX_FIELDS = 50
const MAX_OPTIONS = 100
const MAX_OPTION_CHARS = 75
const MAX_LABEL_CHARS = 2_000
const MAX_TITLE_CHARS = 24
const MAX_INPUT_CHARS = 3_000
const MAX_NAME_CHARS = 255

type Element = InputBlock['element']

/** A field of a form that a modal can show. */
interface Field {
  name: string
  label: string
  hint?: string
  isRequired: boolean
  element: Element
  /** The value that the modal shows at first. */
  initial?: JsonValue
  /** Converts what Slack sends for the field. Returns undefined if the person left it empty. */
  parse: (state: FieldState) => JsonValue | undefined
}

/** The state of an input in a submission. */
export interface FieldState {
  value?: string | null
  selected_date?: string | null
  selected_option?: { value: string } | null
}

/** The fields of a task that a modal depends on. */
type ModalTask = Pick<InterventionRecord, 'form' | 'questions' | 'context' | 'node_key'>

/** Returns whether the task is the approval of a tool call. Its form contains the proposed arguments. */
export const isToolApproval = ({ node_key }: Pick<InterventionRecord, 'node_key'>): boolean => isApprovalKey(node_key)

/** Returns whether a modal can show all fields of a task's form or questions. */
export const canAnswerInModal = (task: ModalTask): boolean => listFields(task) !== undefined

/**
 * Renders the form or the questions of a task. Throws Error if a modal cannot show them.
 * @param conversation where the person has opened the modal
 */
export function renderTaskModal(task: InterventionRecord, conversation: string): ModalView {
  const fields = listFields(task)
  if (!fields) throw new Error('A modal cannot show the form')
  const target: Target = { interventionId: task.id, shown_hash: task.shown_hash, conversation }
  const comment: KnownBlock = input({
    name: COMMENT,
    label: 'Comment',
    isRequired: false,
    element: { type: 'plain_text_input', multiline: true, max_length: MAX_INPUT_CHARS },
    parse: parseText,
  })
  return {
    type: 'modal',
    callback_id: TASK_MODAL,
    private_metadata: JSON.stringify(target),
    title: plain(readTitle(task), MAX_TITLE_CHARS),
    submit: plain(task.kind === 'approval' ? 'Approve' : 'Send', MAX_TITLE_CHARS),
    close: plain('Cancel', MAX_TITLE_CHARS),
    blocks: [...fields.map(input), ...(task.kind === 'approval' ? [comment] : [])],
  }
}

/**
 * Builds the answer from a submitted modal. The arguments of a tool call keep their proposed values, unless the person
 * has changed them.
 */
export function readSubmission(
  task: ModalTask & Pick<InterventionRecord, 'kind'>,
  values: Record<string, Record<string, FieldState>>,
): Answer {
  const fields = listFields(task) ?? []
  const read = ({ name, parse }: Field) => parse(values[name]?.[name] ?? {})
  const toData = (list: Field[]): JsonObject =>
    Object.fromEntries(
      list.flatMap(field => {
        const value = read(field)
        return value === undefined ? [] : [[field.name, value] as const]
      }),
    )
  if (task.kind === 'questions')
    return { action: 'answer_questions', answers: toData(fields) as Record<string, string> }
  if (task.kind === 'form') return { action: 'submit_input', data: toData(fields) }
  const text = values[COMMENT]?.[COMMENT]?.value
  const comment = text ? { comment: text } : {}
  if (!isToolApproval(task)) return { action: 'approve', data: toData(fields), ...comment }
  const changed = fields.filter(field => read(field) !== (field.initial === '' ? undefined : field.initial))
  if (changed.length === 0) return { action: 'approve', ...comment }
  const names = new Set(changed.map(({ name }) => name))
  const unchanged = Object.entries(readProposal(task)).filter(([name]) => !names.has(name))
  return { action: 'approve', data: { ...Object.fromEntries(unchanged), ...toData(changed) }, ...comment }
}

/** Turns the pointers of refused values into messages at the fields. The rest belongs to no field. */
export function placeProblems(
  task: ModalTask,
  problems: { pointer: string; message: string }[],
): Record<string, string> {
  const fields = listFields(task) ?? []
  const fallback = fields[0]?.name ?? COMMENT
  return Object.fromEntries(
    problems.map(({ pointer, message }) => {
      const [, , , name = ''] = pointer.split('/').map(unescapePointer)
      const field = fields.find(field => field.name === name)
      return [field?.name ?? fallback, field ? message : `${pointer} ${message}`] as const
    }),
  )
}

const COMMENT = 'comment of the approval'

/** Returns undefined for a form that a modal cannot show. */
function listFields(task: ModalTask): Field[] | undefined {
  const { form, questions } = task
  const fields = questions ? questions.map(toQuestion) : form ? listFormFields(form, readProposal(task)) : undefined
  if (!fields || fields.length === 0 || fields.length > MAX_FIELDS) return undefined
  return fields.every(field => field !== undefined) ? fields : undefined
}

function toQuestion({ id, text, options }: Question): Field | undefined {
  const element = options ? toSelect(options) : MULTILINE
  return element && { name: id, label: text, isRequired: true, element, parse: options ? parseOption : parseText }
}

/** The arguments that a tool approval proposes. They are the initial values of its form. */
function readProposal(task: ModalTask): JsonObject {
  const proposed = isToolApproval(task) && isJsonObject(task.context) ? task.context['arguments'] : undefined
  return isJsonObject(proposed ?? null) ? (proposed as JsonObject) : {}
}

/** Keywords with which fields depend on other fields. */
const CONDITIONS = ['if', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas']

/** Returns undefined for fields that depend on others, and for a proposal with values that the form does not show. */
function listFormFields(form: JsonSchema, proposed: JsonObject): (Field | undefined)[] | undefined {
  const { properties, required } = form
  if (CONDITIONS.some(keyword => Object.hasOwn(form, keyword))) return undefined
  if (!isJsonObject(properties) || Object.keys(proposed).some(name => !Object.hasOwn(properties, name)))
    return undefined
  const names = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).map(([name, schema]) => {
    if (!isJsonObject(schema)) return undefined
    const initial = Object.hasOwn(proposed, name) ? proposed[name] : schema['default']
    return toField(name, schema, { isRequired: names.has(name), initial })
  })
}

/** Converts a property with a simple type. */
function toField(
  name: string,
  schema: JsonObject,
  { isRequired, initial }: { isRequired: boolean; initial: JsonValue | undefined },
): Field | undefined {
  const { title, description } = schema
  const input = name.length > MAX_NAME_CHARS || initial === null ? undefined : toElement(schema, initial)
  if (!input) return undefined
  const label = typeof title === 'string' && title !== '' ? title : name
  const hint = typeof description === 'string' && description !== '' ? description : undefined
  return { name, label, hint, isRequired, initial, ...input }
}

/** Returns undefined for an initial value that the element would change. */
function toElement(schema: JsonObject, initial: JsonValue | undefined): Pick<Field, 'element' | 'parse'> | undefined {
  const { type, enum: options, format, maxLength } = schema
  const isSet = initial !== undefined
  if (Array.isArray(options)) {
    if (!options.every(option => typeof option === 'string')) return undefined
    if (isSet && !options.some(option => option === initial)) return undefined
    const element = toSelect(options, initial)
    return element && { element, parse: parseOption }
  }
  if (type === 'boolean') {
    if (isSet && typeof initial !== 'boolean') return undefined
    const options = [
      { text: 'Yes', value: 'true' },
      { text: 'No', value: 'false' },
    ]
    const element = buildSelect(options, String(initial))
    return { element, parse: ({ selected_option: option }) => (option ? option.value === 'true' : undefined) }
  }
  if (type === 'number' || type === 'integer') {
    if (isSet && (typeof initial !== 'number' || !/^-?\d+(?:\.\d+)?$/.test(String(initial)))) return undefined
    const element: Element = {
      type: 'number_input',
      is_decimal_allowed: type === 'number',
      ...(isSet && { initial_value: String(initial) }),
    }
    return { element, parse: ({ value }) => (value ? Number(value) : undefined) }
  }
  if (type !== 'string' || format === 'file' || (isSet && typeof initial !== 'string')) return undefined
  if (format === 'date') {
    if (isSet && !/^\d{4}-\d{2}-\d{2}$/.test(initial)) return undefined
    const element: Element = { type: 'datepicker', ...(isSet && { initial_date: initial }) }
    return { element, parse: ({ selected_date: date }) => date ?? undefined }
  }
  if (isSet && initial.length > MAX_INPUT_CHARS) return undefined
  const isLong = typeof maxLength !== 'number' || maxLength > MAX_LINE_CHARS || (isSet && /[\r\n]/.test(initial))
  const element: Element = { type: 'plain_text_input', multiline: isLong, ...(initial && { initial_value: initial }) }
  return { element, parse: parseText }
}

const MAX_LINE_CHARS = 200
const MULTILINE: Element = { type: 'plain_text_input', multiline: true, max_length: MAX_INPUT_CHARS }

/** Returns undefined for options that Slack does not accept: too many, or with long values. */
function toSelect(options: string[], initial?: JsonValue): Element | undefined {
  if (options.length === 0 || options.length > MAX_OPTIONS) return undefined
  if (options.some(option => option === '' || option.length > MAX_OPTION_CHARS)) return undefined
  return buildSelect(
    options.map(option => ({ text: option, value: option })),
    initial,
  )
}

function buildSelect(options: { text: string; value: string }[], initial?: JsonValue): Element {
  const items = options.map(({ text, value }) => ({ text: plain(text, MAX_OPTION_CHARS), value }))
  const chosen = items.find(({ value }) => value === initial)
  return { type: 'static_select', options: items, ...(chosen && { initial_option: chosen }) }
}

const parseText = ({ value }: FieldState) => value ?? undefined
const parseOption = ({ selected_option: option }: FieldState) => option?.value

const input = ({ name, label, hint, isRequired, element }: Field): InputBlock => ({
  type: 'input',
  block_id: name,
  optional: !isRequired,
  label: plain(label, MAX_LABEL_CHARS),
  ...(hint && { hint: plain(hint, MAX_LABEL_CHARS) }),
  element: { ...element, action_id: name },
})
