import { countUse } from '../../data/access/credentials-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { findIdempotency } from '../../data/shared/idempotency-store.ts'
import type { ShareRight } from '../../domain/access/share-rights.ts'
import { AppError, Conflict, Forbidden, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { Answer } from '../../domain/people/intervention.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RunAccepted } from '../../contract/agents/conversation.ts'
import type { MessageView, TraceView } from '../../contract/agents/thread.ts'
import type {
  SharedReply,
  SharedThread,
  SharedTrace,
  SharedMessage,
  SharedTask,
} from '../../contract/access/sharing.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { isOwnWorkspace } from './workspaces.ts'
import { type Chat, NEW_TRACE } from '../agents/conversations/chat.ts'
import type { TracesService } from '../agents/conversations/traces.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { JobsService } from '../runs/jobs.ts'
import { getJob } from '../runs/find.ts'
import { getHead } from '../resources/finding.ts'
import type { Caller } from './callers.ts'
import { listOpenRuns, listTasks } from './sharing-tasks.ts'

/**
 * What share tokens open. A token of a receptor opens that one and the threads that were started with the token; a token
 * of a thread opens that one. Methods throw Forbidden for a right that the token does not have, and NotFound for all that
 * it does not open.
 */
export interface Sharing {
  /**
   * Sends a message to the receptor of the token. `trace_id` continues a thread of the token. Throws Conflict while the
   * thread waits for an answer of the visitor.
   */
  invoke(
    caller: Caller,
    address: { workspace_slug: string; slug: string },
    message: { message: string; trace_id?: string },
    idempotency?: Idempotency,
  ): Promise<RunAccepted>
  readTrace(caller: Caller, id: string, page: PageQuery): Promise<SharedThread>
  /** Sends a message to a thread of the token. Throws Conflict while the thread waits for an answer of the visitor. */
  continueTrace(caller: Caller, id: string, message: string, idempotency?: Idempotency): Promise<RunAccepted>
  /**
   * Checks that the token opens the stream of a job of the thread, and returns what its runs have asked the visitor. Without
   * `traceId`, the thread is that of the token. Throws ValidationError for a token of a receptor, which may open many.
   */
  openStream(caller: Caller, jobId: string, traceId?: string): Promise<SharedTask[]>
  /**
   * Answers what a run of the thread asks the visitor. Throws NotFound for all that it asks others, ValidationError for an
   * answer that does not fit, and Conflict for a task that takes no answer any longer.
   */
  answer(caller: Caller, task: TaskAddress, answer: Answer, idempotency?: Idempotency): Promise<SharedReply>
}

interface TaskAddress {
  job_id: string
  /** Default: the thread of the token. */
  trace_id?: string
  interventionId: string
}

interface Deps {
  db: Database
  chat: Chat
  traces: TracesService
  jobs: Pick<JobsService, 'interventions' | 'list' | 'answer'>
}

/** Creates the service of the public routes. */
export function createSharing({ db, chat, traces, jobs }: Deps): Sharing {
  /**
   * Counts a message that is sent with the token. A repeat of a request is not counted again. Throws Forbidden when no use
   * is left, and Conflict while the thread waits for an answer of the visitor.
   */
  async function use({ principal }: Caller, traceId?: string, idempotency?: Idempotency): Promise<void> {
    const { workspace_id, key_id } = principal
    const isRepeat =
      idempotency && (await db.inWorkspace(workspace_id, tx => findIdempotency(tx, idempotency.key))) !== undefined
    if (isRepeat) return
    const tasks = traceId === undefined ? [] : await listTasks(jobs, principal, traceId)
    const open = tasks.find(({ status }) => status === 'open')
    if (open) throw pendingTaskError(open)
    if (!(await db.inWorkspace(workspace_id, tx => countUse(tx, key_id))))
      throw new Forbidden('The share token has no use left')
  }

  /** Throws NotFound for a thread that the token does not open. */
  async function openTrace({ principal, share }: Caller, id: string, page = { limit: 1, offset: 0 }) {
    const openedTrace = await traces.read(principal, id, { ...page, only_said: true })
    const isOpen =
      share?.type === 'trace' ? share.id === openedTrace.trace.id : openedTrace.trace.actor === principal.actor
    if (!isOpen) throw new NotFound('Trace')
    return openedTrace
  }

  /** Returns the id of the thread of a job. Throws NotFound for what the token does not open. */
  async function openJob(caller: Caller, jobId: string, traceId = requireTraceId(caller)): Promise<string> {
    await openTrace(caller, traceId)
    const { workspace_id } = caller.principal
    const { trace_id } = await db.inWorkspace(workspace_id, tx => getJob(tx, caller.principal, jobId))
    if (trace_id !== traceId) throw new NotFound('Job')
    return traceId
  }

  /** Throws NotFound for every receptor but that of the token, whatever there is at the address. */
  async function checkReceptor({ principal, share }: Caller, address: { workspace_slug: string; slug: string }) {
    if (!isOwnWorkspace(principal, address.workspace_slug)) throw new NotFound('Receptor')
    const receptor = { kind: 'receptors' as const, idOrSlug: address.slug }
    const { id } = await db.inWorkspace(principal.workspace_id, tx => getHead(tx, principal, receptor))
    if (share?.id !== id) throw new NotFound('Receptor')
    return id
  }

  return {
    async invoke(caller, address, { message, trace_id }, idempotency) {
      checkRight(caller, 'write')
      const receptor = await checkReceptor(caller, address)
      if (trace_id !== undefined) await openTrace(caller, trace_id)
      await use(caller, trace_id, idempotency)
      return withoutCause(chat(caller.principal, trace_id ?? NEW_TRACE, { message, receptor }, idempotency))
    },

    async readTrace(caller, id, page) {
      checkRight(caller, 'read')
      const { trace, messages, total } = await openTrace(caller, id, page)
      const [tasks, open_runs] = await Promise.all([
        listTasks(jobs, caller.principal, id),
        listOpenRuns(jobs, caller.principal, id),
      ])
      return { trace: presentSharedTrace(trace), messages: messages.map(presentSharedMessage), total, tasks, open_runs }
    },

    async continueTrace(caller, id, message, idempotency) {
      checkRight(caller, 'write')
      await openTrace(caller, id)
      await use(caller, id, idempotency)
      return withoutCause(chat(getCreator(caller), id, { message }, idempotency))
    },

    async openStream(caller, jobId, traceId) {
      checkRight(caller, 'read')
      return listTasks(jobs, caller.principal, await openJob(caller, jobId, traceId))
    },

    async answer(caller, { job_id, trace_id, interventionId }, answer, idempotency) {
      checkRight(caller, 'write')
      const { principal } = caller
      const tasks = await listTasks(jobs, principal, await openJob(caller, job_id, trace_id))
      if (!tasks.some(task => task.interventionId === interventionId && task.job_id === job_id))
        throw new NotFound('Task')
      const reply = await withoutOthers(jobs.answer(principal, job_id, interventionId, answer, idempotency))
      const { action, at, decided: isDecided } = reply
      return { job_id, interventionId, action, at, decided: isDecided }
    },
  }
}

/** The thread that a token opens. Throws ValidationError for a token of a receptor. */
function requireTraceId({ share }: Caller): string {
  if (share?.type === 'trace') return share.id
  const message = 'is required: the share token may open several threads'
  throw new ValidationError(`Invalid request: /trace ${message}`, [{ pointer: '/trace', message }])
}

const pendingTaskError = ({ job_id, interventionId }: SharedTask): Conflict =>
  new Conflict(
    `The thread waits for your answer to the task ${interventionId}: send it to POST /v1/public/jobs/${job_id}/input`,
  )

/** Replaces errors that name other people. Those of the answer itself have a pointer. */
async function withoutOthers<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.details) throw error
    if (error.status === 404 || error.status === 429) throw error
    throw new Conflict(
      'The task takes no answer now: it is answered, closed or with others, or the Idempotency-Key was used before',
    )
  }
}

/** The visitor with the permissions of the creator of the token. */
const getCreator = ({ principal, share }: Caller): Principal => ({
  ...principal,
  permissions: share?.permissions ?? principal.permissions,
})

function checkRight({ share }: Caller, right: ShareRight): void {
  if (!share?.rights.has(right)) throw new Forbidden(`The share token does not have the right "${right}"`)
}

/** What a visitor learns of errors that describe what is behind the token: definitions, tools, the plan of the workspace. */
const SENTENCES: Record<number, string> = {
  400: "The message can't be accepted",
  403: 'The receptor accepts no messages now',
  404: 'The receptor does not exist',
  409: 'The receptor accepts no messages now, or the Idempotency-Key was used for another message',
}

/** Replaces the messages of such errors. */
async function withoutCause<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const sentence = error instanceof AppError ? SENTENCES[error.status] : undefined
    if (sentence === undefined) throw error
    const { code, status } = error as AppError
    throw new AppError(code, status, sentence, { cause: error })
  }
}

const presentSharedTrace = ({ id, title, turns, created_at, updated_at }: TraceView): SharedTrace => ({
  id,
  title,
  turns,
  created_at,
  updated_at,
})

const presentSharedMessage = ({ turn, role, job_id, at, text = '' }: MessageView): SharedMessage => ({
  turn,
  role: role === 'user' ? role : 'assistant',
  job_id,
  at,
  text,
})
