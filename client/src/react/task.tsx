import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { ChatAnswer, ChatTask } from '../chat/chat-state.ts'
import { APIError } from '../errors.ts'
import { Field, formatValue, Group } from './fields.tsx'
import { type FieldSchema, readTexts, readValue } from './form-values.ts'
import type { ChatLabels } from './labels.ts'
import { Markdown } from './markdown.tsx'

interface TaskProps {
  task: ChatTask
  labels: ChatLabels
  onAnswer: (answer: ChatAnswer) => Promise<void>
  onUpload: (file: File) => Promise<string>
}

/** Start of the pointers in errors about a form's data. */
const DATA = '/input/data'
/** Pointer of errors that belong to no field. */
const OTHER = '*'

/** An open task: a form, questions or an approval. */
export function Task({ task, labels, onAnswer, onUpload }: TaskProps) {
  const id = useId()
  const { title, description, context, form, questions, kind } = task
  const schema = form as FieldSchema | undefined
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [isSending, setSending] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const [value, setValue] = useState<unknown>()
  const update = () => {
    if (!schema || !element.current) return
    try {
      const next = readValue(schema, new FormData(element.current))
      if (JSON.stringify(next) !== JSON.stringify(value)) setValue(next)
    } catch {
      // A field contains incomplete JSON. The conditional fields stay as they are.
    }
  }
  // Fields that a condition adds can have defaults, on which other conditions depend.
  useEffect(update)

  async function answer(build: () => ChatAnswer | Promise<ChatAnswer>): Promise<void> {
    setSending(true)
    try {
      await onAnswer(await build())
    } catch (error) {
      setErrors(readErrors(error, labels))
      setSending(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    void answer(async () => {
      const fields = new FormData()
      for (const [name, value] of new FormData(form))
        if (typeof value === 'string') fields.append(name, value)
        else if (value.size > 0) fields.append(name, await onUpload(value))
      const data = schema && readValue(schema, fields)
      if (kind === 'form') return { action: 'submit_input', data }
      if (kind === 'approval') return { action: 'approve', ...(schema && { data }) }
      return { action: 'answer_questions', answers: readAnswers(task, fields) }
    })
  }

  return (
    <form ref={element} className="gc-task" aria-labelledby={id} onInput={update} onSubmit={submit}>
      <h3 id={id}>{title}</h3>
      {description && <Markdown text={description} />}
      {context !== undefined &&
        (typeof context === 'string' ? <Markdown text={context} /> : <pre tabIndex={0}>{formatValue(context)}</pre>)}
      {schema && (
        <Field
          schema={schema}
          root={schema}
          value={value}
          name=""
          label={title}
          isRequired
          errors={errors}
          labels={labels}
        />
      )}
      {questions?.map(({ id: name, text, options }) =>
        options ? (
          <Group key={name} legend={text}>
            {options.map(option => (
              <label key={option} className="gc-choice">
                <input type="radio" name={name} value={option} required />
                {option}
              </label>
            ))}
          </Group>
        ) : (
          <label key={name} className="gc-field">
            {text}
            <textarea rows={2} name={name} required />
          </label>
        ),
      )}
      {errors.has(OTHER) && (
        <p role="alert" className="gc-error">
          {errors.get(OTHER)}
        </p>
      )}
      <div className="gc-actions">
        <button type="submit" className="gc-primary" disabled={isSending}>
          {kind === 'approval' ? labels.approve : labels.submit}
        </button>
        {kind === 'approval' && (
          <button type="button" disabled={isSending} onClick={() => void answer(() => ({ action: 'reject' }))}>
            {labels.reject}
          </button>
        )}
        {kind === 'questions' && (
          <button
            type="button"
            disabled={isSending}
            onClick={() => void answer(() => ({ action: 'decline_questions' }))}
          >
            {labels.decline}
          </button>
        )}
      </div>
    </form>
  )
}

const readAnswers = ({ questions = [] }: ChatTask, fields: FormData): Record<string, string> =>
  Object.fromEntries(questions.map(({ id }) => [id, readTexts(fields, id).join('')]))

/** Returns the messages of an error by field. */
function readErrors(error: unknown, labels: ChatLabels): Map<string, string> {
  if (error instanceof SyntaxError) return new Map([[OTHER, labels.invalid]])
  const { details = [] } = APIError.is(error) ? error : {}
  const ofFields = details.filter(({ pointer }) => pointer.startsWith(DATA))
  if (ofFields.length > 0) {
    const messages = ofFields.map(({ pointer, message }) => [pointer.slice(DATA.length), message] as const)
    return new Map([...messages, [OTHER, messages.map(([, message]) => message).join('. ')]])
  }
  return new Map([[OTHER, describeError(error, labels)]])
}

/** Returns the service's reason, or a text for a failed connection. */
export const describeError = (error: unknown, labels: ChatLabels): string =>
  APIError.is(error) ? `${labels.rejected} ${error.message}` : labels.offline
