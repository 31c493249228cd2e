import { randomKey } from '../core/random-key.ts'
import { resolveOptions } from '../core/settings.ts'
import { StreamedText } from '../core/streamed-text.ts'
import { Transport } from '../core/transport.ts'
import { APIError, ConnectionError, GanglionError, StreamLostError, TimeoutError } from '../errors.ts'
import { PublicOperations } from '../generated/resources.ts'
import type { Data, PublicEvent } from '../types.ts'
import type { ChatAnswer, ChatMessage, ChatProblem, ChatState, ChatTask, ProblemKind } from './chat-state.ts'
import { type ChatStorage, ChatStore, type PendingMessage } from './chat-storage.ts'

export interface ChatOptions {
  /** Slugs of the workspace and the receptor: `acme/museum`. */
  receptor: string
  /** Share token of the receptor, with the rights `read` and `write`. */
  shareToken: string
  /** Service address. Default: the origin of the page. */
  baseUrl?: string
  /** Keeps the conversation when the page is reloaded. Default: `localStorage`. Null stores nothing. */
  storage?: ChatStorage | null
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch
}

/** A visitor's conversation with a receptor. */
export interface ChatSession {
  readonly getState: () => ChatState
  /** Calls the listener after each change of the state. Returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Reads the stored conversation, follows its open runs, and sends a message that was not confirmed. Call it again
   * after `stop` or a `problem`.
   */
  start(): Promise<void>
  /** Stops following runs. The runs continue. */
  stop(): void
  /**
   * Uploads files and sends a message with them. Does nothing if `canSend` is false. Throws if a file is not accepted,
   * or AbortedError if `start`, `stop` or `reset` is called during the upload, and then sends nothing.
   */
  send(text: string, files?: readonly File[]): Promise<void>
  /** Sends the unsent message again. The service accepts a message only once, however often it is sent. */
  retry(): Promise<void>
  /** Discards the unsent message. Returns its text. */
  discard(): string
  /** Uploads a file for a message or for a file field of a form. Returns its id, the value of the field. */
  upload(file: File): Promise<string>
  /** Answers a task. Throws APIError with `details` for an invalid answer. */
  answer(task: ChatTask, answer: ChatAnswer): Promise<void>
  /** Forgets the conversation and starts a new one. */
  reset(): void
}

type Thread = Data<'public.getTrace'>

/** Number of messages to read. Earlier messages are not shown. */
const PAGE = 100

export function createChatSession(options: ChatOptions): ChatSession {
  const [workspace = '', slug = ''] = options.receptor.split('/')
  if (!workspace || !slug) throw new GanglionError('Set receptor to <workspace slug>/<receptor slug>')
  const { shareToken, baseUrl, fetch } = options
  const api = new PublicOperations(new Transport(resolveOptions({ shareToken, baseUrl, fetch })))
  const store = new ChatStore(options)
  const listeners = new Set<() => void>()
  /** Keys of answers, so that the same answer has no second effect. */
  const answerKeys = new Map<string, string>()

  let session = new AbortController()
  let isLoading = true
  let isRestored = false
  let problem: ChatProblem | undefined
  let traceId: string | undefined
  let thread: Pick<Thread, 'messages' | 'tasks'> = { messages: [], tasks: [] }
  let pending: PendingMessage | undefined
  let sendProblem: ChatProblem | undefined
  /** Messages that were accepted, but are not in the thread yet. */
  let accepted: ChatMessage[] = []
  /** Runs to follow, oldest first. */
  let runs: string[] = []
  let activity: ChatState['activity'] = 'idle'
  /** Text that the first run is writing. */
  let writing = ''
  const failedRuns = new Set<string>()
  let isFollowing = false
  let isUploading = false
  let state = buildState()

  /** Lists the messages. The answer of a run follows the message that started it. */
  function listMessages(): ChatMessage[] {
    const messages = thread.messages.map(({ turn, role, job_id: jobId, text, files }, i): ChatMessage => ({
      id: `${turn} ${i}`,
      role,
      text,
      files: files?.map(file => file.file_name),
      status: 'done',
      jobId,
    }))
    const history = messages.concat(accepted.filter(({ jobId }) => !messages.some(message => message.jobId === jobId)))
    const answered = new Set(history.flatMap(({ role, jobId }) => (role === 'assistant' ? jobId : [])))
    return history.flatMap((message): ChatMessage[] => {
      const { role, jobId = '' } = message
      if (role === 'assistant' || answered.has(jobId)) return [message]
      const answer = { id: jobId, role: 'assistant' as const, jobId }
      if (failedRuns.has(jobId)) return [message, { ...answer, text: '', status: 'failed' }]
      return jobId === runs[0] && writing !== ''
        ? [message, { ...answer, text: writing, status: 'writing' }]
        : [message]
    })
  }

  /** Returns whether a task waits for the visitor. */
  function hasTask(): boolean {
    return thread.tasks.some(({ status }) => status === 'open')
  }

  function buildState(): ChatState {
    const messages = listMessages()
    if (pending) {
      const status = sendProblem ? 'unsent' : 'sending'
      const { key, body, fileNames } = pending
      messages.push({ id: key, role: 'user', text: body.message, files: fileNames, status })
    }
    const canSend = !isLoading && !problem && !pending && !hasTask() && !isUploading
    return { isLoading, messages, tasks: thread.tasks, activity, canSend, problem, sendProblem }
  }

  function change(): void {
    state = buildState()
    for (const listener of listeners) listener()
  }

  const save = () => store.write({ traceId, pending })

  /** Reads the latest messages, the tasks and the open runs. */
  async function read(signal: AbortSignal): Promise<void> {
    if (traceId === undefined) return
    const first = await api.getTrace(traceId, { limit: PAGE }, { signal })
    const { total } = first.pagination
    const latest = total > PAGE ? await api.getTrace(traceId, { limit: PAGE, offset: total - PAGE }, { signal }) : first
    if (signal.aborted) return
    thread = latest
    accepted = accepted.filter(({ jobId }) => !latest.messages.some(({ job_id }) => job_id === jobId))
    runs.push(...latest.open_runs.map(({ job_id }) => job_id).filter(id => !runs.includes(id)))
  }

  /** Follows the runs, one after the other, until all have ended. */
  async function followRuns(): Promise<void> {
    const { signal } = session
    if (isFollowing) return
    isFollowing = true
    try {
      for (let [jobId] = runs; jobId !== undefined && !signal.aborted; [jobId] = runs) {
        activity = 'working'
        await followRun(jobId, signal)
        await read(signal)
        if (signal.aborted) return
        runs = runs.filter(id => id !== jobId)
        writing = ''
        activity = 'idle'
        change()
      }
    } catch (error) {
      if (signal.aborted) return
      problem = describeProblem(error)
      change()
    } finally {
      if (!signal.aborted) isFollowing = false
    }
  }

  async function followRun(jobId: string, signal: AbortSignal): Promise<void> {
    const text = new StreamedText()
    change()
    for await (const event of api.streamJob(jobId, { trace: traceId }, { signal })) {
      if (signal.aborted) return
      if (text.apply(event)) writing = text.toString()
      else await handleEvent(event, jobId, signal)
      change()
    }
  }

  async function handleEvent(event: PublicEvent, jobId: string, signal: AbortSignal): Promise<void> {
    if (event.type === 'error') failedRuns.add(jobId)
    if (event.type === 'status') activity = IDLE.has(event.status) ? 'waiting' : 'working'
    if (event.type === 'task' && thread.tasks.every(task => !isLatest(task, event))) await read(signal)
  }

  async function upload(file: File): Promise<string> {
    const form = new FormData()
    form.set('file', file)
    return (await api.uploadFile(form, { signal: session.signal })).id
  }

  async function deliver(message: PendingMessage): Promise<void> {
    const { signal } = session
    sendProblem = undefined
    change()
    try {
      const { key: idempotencyKey, body, fileNames } = message
      const reply = await api.invokeReceptor(workspace, slug, body, { idempotencyKey, signal })
      if (signal.aborted) return
      traceId = reply.trace_id
      const { job_id: jobId } = reply
      accepted.push({ id: idempotencyKey, role: 'user', text: body.message, files: fileNames, status: 'done', jobId })
      pending = undefined
      if (!runs.includes(jobId)) runs.push(jobId)
      save()
      void followRuns()
    } catch (error) {
      // The thread can have a task that another tab or an earlier message opened.
      await read(signal).catch(() => undefined)
      if (signal.aborted) return
      sendProblem = describeProblem(error, hasTask())
    }
    change()
  }

  /** Discards the state of the current thread. */
  function clear(): void {
    session.abort()
    session = new AbortController()
    isFollowing = false
    problem = undefined
    runs = []
    writing = ''
    activity = 'idle'
  }

  return {
    getState: () => state,

    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async start() {
      clear()
      const { signal } = session
      isLoading = true
      if (!isRestored) ({ traceId, pending } = store.read())
      isRestored = true
      change()
      try {
        await read(signal)
      } catch (error) {
        if (signal.aborted) return
        // The thread was deleted.
        if (APIError.is(error, 'NOT_FOUND')) forget()
        else problem = describeProblem(error)
      }
      if (signal.aborted) return
      isLoading = false
      change()
      if (problem) return
      if (pending) void deliver(pending)
      void followRuns()
    },

    stop: clear,

    async send(text, files = []) {
      const message = text.trim()
      if (!state.canSend || message === '') return
      isUploading = true
      change()
      const uploads = await Promise.all(files.map(upload)).finally(() => {
        isUploading = false
        change()
      })
      pending = {
        key: randomKey(),
        body: { message, trace_id: traceId, ...(uploads.length > 0 && { files: uploads }) },
        fileNames: files.map(({ name }) => name),
        at: Date.now(),
      }
      save()
      await deliver(pending)
    },

    async retry() {
      if (pending && sendProblem) await deliver(pending)
    },

    discard() {
      const { message = '' } = (sendProblem && pending?.body) ?? {}
      if (sendProblem) pending = undefined
      sendProblem = undefined
      save()
      change()
      return message
    },

    upload,

    async answer({ job_id, interventionId }, given) {
      const input = { type: 'intervention_response' as const, interventionId, ...given }
      const text = JSON.stringify(input)
      const idempotencyKey = answerKeys.get(text) ?? randomKey()
      answerKeys.set(text, idempotencyKey)
      const { signal } = session
      const { at } = await api.answer(job_id, { trace: traceId, input }, { idempotencyKey, signal })
      thread = {
        ...thread,
        tasks: thread.tasks.map(task =>
          task.interventionId === interventionId ? markAnswered(task, { ...given, at }) : task,
        ),
      }
      change()
    },

    reset() {
      clear()
      forget()
      change()
    },
  }

  function forget(): void {
    traceId = undefined
    pending = undefined
    sendProblem = undefined
    thread = { messages: [], tasks: [] }
    accepted = []
    save()
  }
}

const markAnswered = (task: ChatTask, answer: ChatTask['answer']): ChatTask => ({ ...task, status: 'answered', answer })

/** Statuses in which a run does nothing. */
const IDLE = new Set(['waiting', 'paused'])

/** Whether a task event brings no news about the task. */
const isLatest = ({ interventionId, status }: ChatTask, event: Extract<PublicEvent, { type: 'task' }>): boolean =>
  interventionId === event.interventionId && (status === 'open') === (event.change === 'opened')

function describeProblem(cause: unknown, hasTask = true): ChatProblem {
  const error = GanglionError.is(cause) ? cause : new GanglionError(String(cause), { cause })
  return { kind: findKind(error, hasTask), error }
}

function findKind(error: GanglionError, hasTask: boolean): ProblemKind {
  if (error instanceof StreamLostError || error instanceof ConnectionError || error instanceof TimeoutError)
    return 'offline'
  const { status = 0 } = error as Partial<APIError>
  if (status === 429 || status >= 500) return 'busy'
  // Without a task that waits for the visitor, a conflict means that the receptor is inactive.
  return UNAVAILABLE.has(status) || (status === 409 && !hasTask) ? 'unavailable' : 'rejected'
}

const UNAVAILABLE = new Set([401, 403, 404])
