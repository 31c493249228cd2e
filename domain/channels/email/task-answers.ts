import type { Answer, VisitorTask } from '../../people/intervention.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json/json.ts'

type Task = Pick<VisitorTask, 'kind' | 'title' | 'description' | 'questions' | 'form' | 'context'>

/** A value that a person can write in a mail. */
interface Field {
  name: string
  label: string
  options?: string[]
  isRequired: boolean
  /** Returns undefined for a text that is no value of the field. */
  parse: (text: string) => JsonValue | undefined
}

const NOT_BY_MAIL =
  'This cannot be answered by mail. The team can see your request, and a person will continue with it.'

/** Returns whether a visitor can answer a task by mail. */
export const canAnswerByMail = (task: Task): boolean => findFields(task) !== undefined

/** Returns the paragraphs of a mail that asks a visitor to answer a task. */
export function describeQuestion(task: Task): string[] {
  const { title, description = '', context } = task
  const fields = findFields(task)
  const isTitle = fields?.length === 1 && fields[0]?.label === title
  const data = context === undefined || context === null ? '' : JSON.stringify(context, null, 2)
  return [isTitle ? '' : title, description, data, ...describeFields(fields)]
}

/** Reads a visitor's answer from the text of a mail. Returns what to write instead if the text doesn't answer the task. */
export function readAnswer(task: Task, text: string): Answer | { problem: string } {
  const fields = findFields(task)
  const values = fields && readValues(fields, text.replace(SIGNATURE, '').trim())
  if (values) return buildAnswer(task, values)
  return {
    problem: [...(fields ? ['The mail does not contain an answer.'] : []), ...describeFields(fields)].join('\n\n'),
  }
}

/** https://www.rfc-editor.org/rfc/rfc3676#section-4.3 */
const SIGNATURE = /(?:^|\n)-- ?(?:\n[\s\S]*)?$/

function buildAnswer({ kind }: Task, values: JsonObject): Answer {
  if (kind === 'approval') return { action: values['action'] === 'approve' ? 'approve' : 'reject' }
  if (kind === 'form') return { action: 'submit_input', data: values }
  return { action: 'answer_questions', answers: values as Record<string, string> }
}

function describeFields(fields: Field[] | undefined): string[] {
  if (!fields) return [NOT_BY_MAIL]
  const [only, ...others] = fields
  if (only && others.length === 0)
    return [
      only.name === ACTION ? '' : only.label,
      only.options
        ? `Reply to this mail with one of these answers:\n${only.options.map(option => `- ${option}`).join('\n')}`
        : 'Reply to this mail with your answer.',
    ]
  const lines = fields.map(({ label, options, isRequired }, i) =>
    [`${i + 1}. ${label}`, options && ` (${options.join(', ')})`, !isRequired && ' (optional)']
      .filter(Boolean)
      .join(''),
  )
  return [lines.join('\n'), 'Reply to this mail. Begin each answer on a new line with its number, such as: 1. …']
}

const ACTION = 'action'

/** Returns undefined for a task that needs more than text. */
function findFields({ kind, questions = [], form }: Task): Field[] | undefined {
  if (kind === 'approval') return [createField(ACTION, 'Answer', ['approve', 'reject'])]
  if (kind === 'questions') return questions.map(({ id, text, options }) => createField(id, text, options))
  const properties = form?.['properties']
  if (!isJsonObject(properties)) return undefined
  const required = Array.isArray(form?.['required']) ? form['required'] : []
  const fields: Field[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const field = isJsonObject(schema) ? createFormField(name, schema, required.includes(name)) : undefined
    if (field) fields.push(field)
    else if (required.includes(name)) return undefined
  }
  return fields.length > 0 ? fields : undefined
}

function createFormField(name: string, schema: JsonObject, isRequired: boolean): Field | undefined {
  const { type, title, enum: values, format } = schema
  const label = typeof title === 'string' ? title : name
  if (type === 'boolean') return { ...createField(name, label, ['yes', 'no'], isRequired), parse: parseBoolean }
  if (type === 'number' || type === 'integer') return { name, label, isRequired, parse: parseNumber }
  if (type !== 'string' || format === 'file') return undefined
  const options = Array.isArray(values) ? values.filter(value => typeof value === 'string') : undefined
  return createField(name, label, options, isRequired)
}

const createField = (name: string, label: string, options?: string[], isRequired = true): Field => ({
  name,
  label,
  ...(options && { options }),
  isRequired,
  parse: text => (options ? findOption(options, text) : text),
})

/** Finds the option that a person wrote, also with other case or a full stop, and above a signature. */
function findOption(options: string[], text: string): string | undefined {
  const [line = ''] = text.split('\n')
  return options.find(option => [text, line].some(written => normalize(written) === normalize(option)))
}

const normalize = (text: string): string =>
  text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase()

function parseBoolean(text: string): boolean | undefined {
  const option = findOption(['yes', 'no'], text)
  return option === undefined ? undefined : option === 'yes'
}

function parseNumber(text: string): number | undefined {
  const [line = ''] = text.split('\n')
  const value = line.trim() === '' ? NaN : Number(line)
  return Number.isFinite(value) ? value : undefined
}

/** Returns undefined if a value is missing or invalid. */
function readValues(fields: Field[], text: string): JsonObject | undefined {
  const texts = fields.length === 1 ? [text] : readNumbered(text, fields.length)
  const values: JsonObject = {}
  for (const [i, { name, isRequired, parse }] of fields.entries()) {
    const written = texts[i]?.trim() ?? ''
    if (written === '' && !isRequired) continue
    const value = written === '' ? undefined : parse(written)
    if (value === undefined) return undefined
    values[name] = value
  }
  return values
}

const NUMBERED = /^\s*(?<number>\d{1,3})[.):]\s*(?<text>.*)$/

/** Returns the texts of numbered answers, which may have several lines. */
function readNumbered(text: string, count: number): string[] {
  const texts: string[] = []
  let current: number | undefined
  for (const line of text.split('\n')) {
    const { number, text: start = '' } = NUMBERED.exec(line)?.groups ?? {}
    const index = Number(number) - 1
    const begins = index >= 0 && index < count && texts[index] === undefined
    if (begins) {
      texts[index] = start
      current = index
    } else if (current !== undefined) texts[current] += `\n${line}`
  }
  return texts
}
