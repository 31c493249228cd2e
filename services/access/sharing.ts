import { countUse } from '../../data/access/credentials-store.ts'
import { findFiles } from '../../data/documents/files-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { findIdempotency } from '../../data/shared/idempotency-store.ts'
import type { ShareRight } from '../../domain/access/share-rights.ts'
import { AppError, Conflict, Forbidden, isRefusal, NotFound, RateLimited } from '../../domain/shared/errors.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'
import type { Answer } from '../../domain/people/intervention.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { FileView } from '../../contract/documents/file.ts'
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
import { type Chat, type ChatMessage, NEW_TRACE } from '../agents/conversations/chat.ts'
import type { TracesService } from '../agents/conversations/traces.ts'
import type { Download } from '../documents/download.ts'
import { downloadFile, type FilesService, type FileUpload } from '../documents/files.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { JobsService } from '../runs/jobs.ts'
import { getJob } from '../runs/find.ts'
import { getHead } from '../resources/finding.ts'
import type { Caller } from './callers.ts'
import { listOpenRuns, listTasks } from './sharing-tasks.ts'

/**
 * Operations available to share tokens. A receptor token gives access to the receptor and the threads that were
 * started with the token. A thread token gives access to that thread. Methods throw Forbidden for a right that the
 * token does not have, and NotFound for anything else that it gives no access to.
 */
export interface Sharing {
  /**
   * Sends a message to the token's receptor. `trace_id` continues one of the token's threads. Throws Conflict while
   * the thread is waiting for an answer from the visitor.
   */
  invoke(
    caller: Caller,
    address: { workspace_slug: string; slug: string },
    message: SharedSpeech & { trace_id?: string },
    idempotency?: Idempotency,
  ): Promise<RunAccepted>
  readTrace(caller: Caller, id: string, page: PageQuery): Promise<SharedThread>
  /**
   * Sends a message to one of the token's threads. Throws Conflict while the thread is waiting for an answer from the
   * visitor.
   */
  continueTrace(caller: Caller, id: string, message: SharedSpeech, idempotency?: Idempotency): Promise<RunAccepted>
  /**
   * Checks that the token gives access to a job's stream in the thread, and returns the tasks assigned to the
   * visitor. Without `traceId`, uses the token's thread. Throws ValidationError for a receptor token without
   * `traceId`, because it may give access to several threads.
   */
  openStream(caller: Caller, jobId: string, traceId?: string): Promise<SharedTask[]>
  /**
   * Stores a file that the visitor may attach to a message or an answer. Throws the same errors as
   * `FilesService.upload`.
   */
  uploadFile(caller: Caller, upload: FileUpload): Promise<FileView>
  /** Returns the content of a file in one of the token's threads. */
  readFile(caller: Caller, traceId: string, id: string): Promise<Download>
  /**
   * Answers a task assigned to the visitor. Throws NotFound for other people's tasks, ValidationError for an invalid
   * answer, and Conflict for a task that no longer accepts answers.
   */
  answer(caller: Caller, task: TaskAddress, answer: Answer, idempotency?: Idempotency): Promise<SharedReply>
}

/** A message from a visitor, with the ids of its files. */
type SharedSpeech = Pick<ChatMessage, 'message' | 'files'>

interface TaskAddress {
  job_id: string
  /** Default: the token's thread. */
  trace_id?: string
  interventionId: string
}

interface Deps {
  db: Database
  chat: Chat
  traces: TracesService
  files: Pick<FilesService, 'upload'>
  jobs: Pick<JobsService, 'interventions' | 'list' | 'answer'>
}

/** Creates the service for the public routes. */
export function createSharing({ db, chat, traces, files, jobs }: Deps): Sharing {
  /** Throws Conflict while the thread is waiting for an answer from the visitor, unless the request is a repeat. */
  async function checkOpenTasks({ principal }: Caller, traceId?: string, idempotency?: Idempotency): Promise<void> {
    if (traceId === undefined) return
    const { workspace_id } = principal
    const isRepeat =
      idempotency && (await db.inWorkspace(workspace_id, tx => findIdempotency(tx, idempotency.key))) !== undefined
    if (isRepeat) return
    const tasks = await listTasks(jobs, principal, traceId)
    const open = tasks.find(({ status }) => status === 'open')
    if (open) throw pendingTaskError(open)
  }

  /** Sends a message and counts it, unless it is refused or a repeat. Throws Forbidden if no uses are left. */
  const send = (sender: Principal, traceId: string, message: ChatMessage, idempotency?: Idempotency) =>
    withoutCause(
      chat(
        sender,
        traceId,
        {
          ...message,
          async writeMore(tx) {
            if (!(await countUse(tx, sender.key_id))) throw new NoUsesLeft('The share token has no uses left')
          },
        },
        idempotency,
      ),
    )

  /** Throws NotFound if the token gives no access to the thread. */
  async function openTrace({ principal, share }: Caller, id: string, page = { limit: 1, offset: 0 }) {
    const openedTrace = await traces.read(principal, id, { ...page, only_said: true })
    const isOpen =
      share?.type === 'trace' ? share.id === openedTrace.trace.id : openedTrace.trace.actor === principal.actor
    if (!isOpen) throw new NotFound('Trace')
    return openedTrace
  }

  /** Returns a job's thread id. Throws NotFound if the token gives no access to the job. */
  async function openJob(caller: Caller, jobId: string, traceId = requireTraceId(caller)): Promise<string> {
    await openTrace(caller, traceId)
    const { workspace_id } = caller.principal
    const { trace_id } = await db.inWorkspace(workspace_id, tx => getJob(tx, caller.principal, jobId))
    if (trace_id !== traceId) throw new NotFound('Job')
    return traceId
  }

  /** Throws NotFound for every receptor except the token's receptor, whether or not the other receptor exists. */
  async function checkReceptor({ principal, share }: Caller, address: { workspace_slug: string; slug: string }) {
    if (!isOwnWorkspace(principal, address.workspace_slug)) throw new NotFound('Receptor')
    const receptor = { kind: 'receptors' as const, idOrSlug: address.slug }
    const { id } = await db.inWorkspace(principal.workspace_id, tx => getHead(tx, principal, receptor))
    if (share?.id !== id) throw new NotFound('Receptor')
    return id
  }

  return {
    async invoke(caller, address, { message, files, trace_id }, idempotency) {
      checkRight(caller, 'write')
      const receptor = await checkReceptor(caller, address)
      if (trace_id !== undefined) await openTrace(caller, trace_id)
      await checkOpenTasks(caller, trace_id, idempotency)
      return send(caller.principal, trace_id ?? NEW_TRACE, { message, files, receptor }, idempotency)
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

    async continueTrace(caller, id, { message, files }, idempotency) {
      checkRight(caller, 'write')
      await openTrace(caller, id)
      await checkOpenTasks(caller, id, idempotency)
      return send(getCreator(caller), id, { message, files }, idempotency)
    },

    async openStream(caller, jobId, traceId) {
      checkRight(caller, 'read')
      return listTasks(jobs, caller.principal, await openJob(caller, jobId, traceId))
    },

    async uploadFile(caller, upload) {
      checkRight(caller, 'write')
      return files.upload(getCreator(caller), upload)
    },

    async readFile(caller, traceId, id) {
      checkRight(caller, 'read')
      await openTrace(caller, traceId)
      const { workspace_id } = caller.principal
      const files = await db.inWorkspace(workspace_id, tx => findFiles(tx, [id]))
      const file = files.find(({ trace_id }) => trace_id === traceId)
      if (!file) throw new NotFound('File')
      return downloadFile(db, workspace_id, file)
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

/** Returns the token's thread. Throws ValidationError for a receptor token. */
function requireTraceId({ share }: Caller): string {
  if (share?.type === 'trace') return share.id
  throw invalidRequestError([
    { pointer: '/trace', message: 'is required: the share token may give access to multiple threads' },
  ])
}

const pendingTaskError = ({ job_id, interventionId }: SharedTask): Conflict =>
  new Conflict(
    `The thread is waiting for your answer to the task ${interventionId}: send it to POST /v1/public/jobs/${job_id}/input`,
  )

/** Replaces errors that name other people. Errors about the answer itself have a pointer and are kept. */
async function withoutOthers<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isRefusal(error) || error.details || error instanceof NotFound || error instanceof RateLimited) throw error
    throw new Conflict(
      'The task is not accepting answers: it is answered, closed or assigned to others, or the Idempotency-Key was used before',
    )
  }
}

/** Returns the visitor with the permissions of the token's creator. */
const getCreator = ({ principal, share }: Caller): Principal => ({
  ...principal,
  permissions: share?.permissions ?? principal.permissions,
})

function checkRight({ share }: Caller, right: ShareRight): void {
  if (!share?.rights.has(right)) throw new Forbidden(`The share token does not have the right "${right}"`)
}

class NoUsesLeft extends Forbidden {}

/** Messages for a visitor that replace errors about internals: definitions, tools or the workspace plan. */
const SENTENCES: Record<number, string> = {
  400: "The message can't be accepted",
  403: 'The receptor is not accepting messages at the moment',
  404: 'The receptor does not exist',
  409: 'The receptor is not accepting messages at the moment, or the Idempotency-Key was used for another message',
}

/** Replaces the messages in errors that reveal internals. */
async function withoutCause<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const sentence = error instanceof AppError ? SENTENCES[error.status] : undefined
    if (sentence === undefined || error instanceof NoUsesLeft) throw error
    const { code, status } = error as AppError
    throw new AppError(code, sentence, { status, cause: error })
  }
}

const presentSharedTrace = ({ id, title, turns, created_at, updated_at }: TraceView): SharedTrace => ({
  id,
  title,
  turns,
  created_at,
  updated_at,
})

const presentSharedMessage = ({ turn, role, job_id, at, text = '', files }: MessageView): SharedMessage => ({
  turn,
  role: role === 'user' ? role : 'assistant',
  job_id,
  at,
  text,
  ...(files && { files }),
})
