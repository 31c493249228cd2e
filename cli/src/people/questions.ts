import type { PersonAnswer, Question } from '@ganglion/client'
import { readJson } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { type Prompt, note, openPrompt, paint } from '../shared/terminal.ts'

interface Property {
  type?: string
  title?: string
  description?: string
  enum?: unknown[]
  default?: unknown
}

/** Asks the person at the terminal for an answer. Rejects on Ctrl-C or Ctrl-D. */
export async function askPerson(question: Question): Promise<PersonAnswer> {
  showQuestion(question)
  const prompt = openPrompt()
  try {
    if (question.kind === 'approval') return await askApproval(prompt)
    if (question.kind === 'questions')
      return { action: 'answer_questions', answers: await askQuestions(prompt, question) }
    return { action: 'submit_input', data: await askForm(prompt, question.form ?? {}) }
  } finally {
    prompt.close()
  }
}

/** Prints a task and its data from the run to stderr. */
export function showQuestion({ title, description, context, due_at, assignees }: Omit<Question, 'kind'>): void {
  note(`\n${paint('bold', title)}`)
  if (description) note(description)
  if (context !== undefined) note(JSON.stringify(context, null, 2).replaceAll(/^/gm, '  '))
  if (assignees.length > 0) note(`for ${assignees.join(', ')}`)
  if (due_at) note(`due ${due_at}`)
}

async function askApproval(prompt: Prompt): Promise<PersonAnswer> {
  for (;;) {
    const answer = (await prompt.ask('Approve or reject? [a/r] ')).trim().toLowerCase()
    const action = /^(a|approve|y|yes)$/.test(answer)
      ? 'approve'
      : /^(r|reject|n|no)$/.test(answer)
        ? 'reject'
        : undefined
    if (!action) continue
    const comment = (await prompt.ask('Comment (Enter to skip): ')).trim()
    return comment ? { action, comment } : { action }
  }
}

async function askQuestions(prompt: Prompt, { questions = [] }: Question): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { id, text, options } of questions)
    answers[id] = (await prompt.ask(`${text}${options ? ` [${options.join(' | ')}]` : ''} `)).trim()
  return answers
}

/** Asks for each field in a flat form. The service validates the values. */
async function askForm(
  prompt: Prompt,
  form: { properties?: Record<string, Property>; required?: string[] },
): Promise<object> {
  const data: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(form.properties ?? {})) {
    const isRequired = form.required?.includes(name)
    const hint = property.enum
      ? ` [${property.enum.join(' | ')}]`
      : property.type === 'boolean'
        ? ' [true | false]'
        : ''
    const text = (await prompt.ask(`${property.title ?? name}${hint}${isRequired ? '' : ' (Enter to skip)'}: `)).trim()
    if (text !== '' || isRequired) data[name] = parseField(text, property)
  }
  return data
}

function parseField(text: string, { type }: Property): unknown {
  if (type === 'string' || type === undefined) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export interface AnswerOptions {
  approve?: boolean
  reject?: boolean
  data?: string
  answer?: string[]
  comment?: string
}

/** Builds the answer from the command's options. Returns undefined if no option contains an answer. */
export async function readAnswer({
  approve,
  reject,
  data,
  answer,
  comment,
}: AnswerOptions): Promise<PersonAnswer | undefined> {
  if ([approve, reject, data !== undefined, answer !== undefined].filter(Boolean).length > 1)
    throw usageError('Use one of --approve, --reject, --data and --answer')
  const more = comment === undefined ? {} : { comment }
  if (approve) return { action: 'approve', ...more }
  if (reject) return { action: 'reject', ...more }
  if (data !== undefined) return { action: 'submit_input', data: await readJson(data), ...more }
  if (answer) return { action: 'answer_questions', answers: Object.fromEntries(answer.map(parsePair)), ...more }
  return undefined
}

/** Parses `id=approve`, `id=reject`, or `id=` followed by form data, as JSON or @file. */
export async function parseGivenAnswer(text: string): Promise<[id: string, answer: PersonAnswer]> {
  const [id, value] = parsePair(text)
  if (value === 'approve' || value === 'reject') return [id, { action: value }]
  return [id, { action: 'submit_input', data: await readJson(value) }]
}

/** Splits `name=value`. */
export function parsePair(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageError(`${text} must have the form name=value`)
  return [text.slice(0, at), text.slice(at + 1)]
}
