import {
  type ChangeEvent,
  type FormEvent,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { ChatOptions } from '../chat/chat-session.ts'
import type { ChatMessage, ChatState, ChatTask } from '../chat/chat-state.ts'
import { AbortedError } from '../errors.ts'
import { type ChatLabels, DEFAULT_LABELS } from './labels.ts'
import { Markdown } from './markdown.tsx'
import { adoptStyles } from './styles.ts'
import { describeError, Task } from './task.tsx'
import { useChatSession } from './use-chat-session.ts'

export interface ChatProps extends ChatOptions {
  /** Replaces texts, for example to translate them. */
  labels?: Partial<ChatLabels>
  /** Default: the scheme of the page. */
  scheme?: 'light' | 'dark'
  /** Shows a button that closes the chat. */
  onClose?: () => void
}

/** A chat with a receptor for visitors. */
export function Chat({ labels: given, scheme, onClose, ...options }: ChatProps) {
  const labels = { ...DEFAULT_LABELS, ...given }
  const { session, state } = useChatSession(options)
  const root = useRef<HTMLElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const sentFiles = useRef(files)
  const [uploadError, setUploadError] = useState('')
  const { messages, tasks, problem, canSend } = state
  const openTasks = tasks.filter(({ status }) => status === 'open')

  useEffect(() => adoptStyles(root.current?.getRootNode()), [])
  const log = useScroll(state)

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    if (!canSend || text.trim() === '') return
    setText('')
    setUploadError('')
    session.send(text, files).then(
      () => {
        sentFiles.current = files
        setFiles(current => current.filter(file => !files.includes(file)))
      },
      (error: unknown) => {
        restore(text)
        if (!(error instanceof AbortedError)) setUploadError(describeError(error, labels))
      },
    )
  }

  /** Puts a message that was not sent before the text that was written since. */
  function restore(unsent: string): void {
    setText(current => [unsent, current].filter(Boolean).join('\n'))
  }

  function attach({ currentTarget: input }: ChangeEvent<HTMLInputElement>): void {
    const added = [...(input.files ?? [])]
    setFiles(current => [...current, ...added])
    // The same file can be chosen again.
    input.value = ''
    field.current?.focus()
  }

  function sendOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    submit()
  }

  function edit(): void {
    restore(session.discard())
    setFiles(current => [...sentFiles.current, ...current])
    field.current?.focus()
  }

  return (
    <section ref={root} className="gc" data-scheme={scheme} aria-label={labels.heading}>
      <header className="gc-head">
        <h2>{labels.heading}</h2>
        {messages.length > 0 && (
          <button type="button" title={labels.reset} aria-label={labels.reset} onClick={() => session.reset()}>
            <Icon path="M12 5v14M5 12h14" />
          </button>
        )}
        {onClose && (
          <button type="button" title={labels.close} aria-label={labels.close} onClick={onClose}>
            <Icon path="M6 6l12 12M18 6L6 18" />
          </button>
        )}
      </header>
      {/* Screen readers get whole messages from the status below, instead of each piece of text. */}
      <div ref={log} className="gc-log" role="log" aria-live="off" aria-label={labels.heading} tabIndex={0}>
        {labels.greeting && (
          <div className="gc-message" data-role="assistant">
            <Markdown text={labels.greeting} />
          </div>
        )}
        {messages.map(message => (
          <Fragment key={message.id}>
            <Message message={message} labels={labels}>
              {message.status === 'unsent' && state.sendProblem && (
                <p className="gc-error">
                  {labels[state.sendProblem.kind]}{' '}
                  <button type="button" onClick={() => void session.retry()}>
                    {labels.retry}
                  </button>{' '}
                  <button type="button" onClick={edit}>
                    {labels.edit}
                  </button>
                </p>
              )}
            </Message>
            {message.role === 'user' &&
              tasks
                .filter(task => isEnded(task, message))
                .map(task => (
                  <p key={task.interventionId} className="gc-note">
                    {task.title}: {task.status === 'answered' ? labels.answered : labels.closed}
                  </p>
                ))}
          </Fragment>
        ))}
        {openTasks.map(task => (
          <Task
            key={task.interventionId}
            task={task}
            labels={labels}
            onUpload={file => session.upload(file)}
            onAnswer={async answer => {
              await session.answer(task, answer)
              field.current?.focus()
            }}
          />
        ))}
        {problem && (
          <p className="gc-error">
            {labels[problem.kind]}{' '}
            <button type="button" onClick={() => void session.start()}>
              {labels.retry}
            </button>
          </p>
        )}
        <Activity state={state} labels={labels} />
      </div>
      <Status state={state} labels={labels} />
      {(files.length > 0 || uploadError) && (
        <div className="gc-actions gc-files">
          {files.map(file => (
            <button
              key={`${file.name} ${file.size} ${file.lastModified}`}
              type="button"
              aria-label={`${labels.remove}: ${file.name}`}
              onClick={() => setFiles(current => current.filter(each => each !== file))}
            >
              {file.name} ×
            </button>
          ))}
          {uploadError && (
            <p role="alert" className="gc-error">
              {uploadError}
            </p>
          )}
        </div>
      )}
      <form className="gc-composer" onSubmit={submit}>
        <label className="gc-attach" title={labels.attach}>
          <input type="file" className="gc-hidden" multiple aria-label={labels.attach} onChange={attach} />
          <Icon path="M8 12l6-6a3 3 0 0 1 5 5l-8 8a5 5 0 0 1-7-7l7-7" />
        </label>
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label={labels.message}
          placeholder={openTasks.length > 0 ? labels.openTask : labels.message}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={sendOnEnter}
        />
        <button type="submit" className="gc-primary" aria-label={labels.send} aria-disabled={!canSend}>
          <Icon path="M5 12h14M13 6l6 6-6 6" />
        </button>
      </form>
    </section>
  )
}

const isEnded = ({ status, job_id }: ChatTask, { jobId }: ChatMessage): boolean => status !== 'open' && job_id === jobId

/** Enter confirms a word in an input method, instead of sending the message. */
const isComposing = (event: KeyboardEvent): boolean => {
  const { isComposing: isOwn, nativeEvent } = event as Partial<KeyboardEvent> & { isComposing?: boolean }
  return (isOwn ?? nativeEvent?.isComposing) === true
}

/** Number of pixels from the end at which the log follows new text. */
const NEAR = 40

/**
 * Scrolls to the end after each change, unless the visitor has scrolled up. Scrolls to the start of a task that opens,
 * because it can be higher than the log.
 */
function useScroll({ tasks, ...state }: ChatState) {
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const task = tasks.find(({ status }) => status === 'open')?.interventionId
  useEffect(() => {
    const { current } = log
    if (!current) return undefined
    const note = () => (isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR)
    current.addEventListener('scroll', note)
    return () => current.removeEventListener('scroll', note)
  }, [])
  useEffect(() => {
    if (isAtEnd.current) log.current?.scrollTo(0, log.current.scrollHeight)
  }, [state.messages, state.problem])
  useEffect(() => {
    const { current } = log
    const form = current?.querySelector<HTMLElement>('.gc-task')
    if (task !== undefined && current && form) current.scrollTo(0, form.offsetTop - current.offsetTop)
  }, [task])
  return log
}

interface MessageProps {
  message: ChatMessage
  labels: ChatLabels
  children?: ReactNode
}

function Message({ message: { role, text, files, status }, labels, children }: MessageProps) {
  return (
    <div className="gc-message" data-role={role} data-status={status}>
      <span className="gc-hidden">{role === 'user' ? labels.you : labels.assistant}: </span>
      {status === 'failed' && <p className="gc-error">{labels.failed}</p>}
      {role === 'user' ? <p className="gc-text">{text}</p> : <Markdown text={text} />}
      {files?.map((name, i) => (
        <p key={`${i} ${name}`}>{name}</p>
      ))}
      {children}
    </div>
  )
}

interface StateProps {
  state: ChatState
  labels: ChatLabels
}

function Activity({ state, labels }: StateProps) {
  const text = describeActivity(state, labels)
  return text && !state.messages.some(({ status }) => status === 'writing') ? <p className="gc-note">{text}</p> : null
}

function describeActivity({ activity, messages, tasks }: ChatState, labels: ChatLabels): string | undefined {
  if (messages.at(-1)?.status === 'sending') return labels.sending
  if (activity === 'working') return labels.working
  const isAsked = tasks.some(({ status }) => status === 'open')
  return activity === 'waiting' && !isAsked ? labels.waiting : undefined
}

/** Tells screen readers about new answers, tasks and problems. */
function Status({ state, labels }: StateProps) {
  const initial = useRef<string>(undefined)
  const { isLoading, messages, tasks, problem, sendProblem } = state
  const last = messages.at(-1)
  useEffect(() => {
    if (!isLoading) initial.current ??= last?.id ?? ''
  }, [isLoading, last])
  const task = tasks.find(({ status }) => status === 'open')
  const issue = problem ?? sendProblem
  const isNew = last?.role === 'assistant' && last.status !== 'writing' && last.id !== initial.current
  const answer = isNew ? last.text || labels.failed : undefined
  const text = (issue && labels[issue.kind]) ?? task?.title ?? describeActivity(state, labels) ?? answer ?? ''
  return (
    <div className="gc-hidden" role="status">
      {text}
    </div>
  )
}

export const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={path} />
  </svg>
)
