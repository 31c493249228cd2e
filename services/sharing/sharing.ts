import { countUse } from '../../data/credentials-store.ts'
import type { Database } from '../../data/database.ts'
import type { ShareRight } from '../../domain/access/share-rights.ts'
import { AppError, Forbidden, NotFound } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Caller } from '../access/types.ts'
import { checkWorkspace } from '../access/workspaces.ts'
import { type Chat, NEW_TRACE } from '../conversations/chat.ts'
import type { AcceptedMessage, MessageView, TracesService, TraceView } from '../conversations/types.ts'
import type { Idempotency, JobsService } from '../jobs/types.ts'
import type { ReceptorsService } from '../receptors/receptors.ts'

/** A thread as a visitor sees it. */
export type SharedTrace = Pick<TraceView, 'id' | 'title' | 'turns' | 'created_at' | 'updated_at'>
/** What was said, without the work of the agent behind it. */
export type SharedMessage = Pick<MessageView, 'turn' | 'role' | 'job_id' | 'at' | 'text'>

/**
 * What share tokens open. A token of a receptor opens that one and the threads that were started with the token; a token
 * of a thread opens that one. Methods throw Forbidden for a right that the token does not have, and NotFound for all that
 * it does not open.
 */
export interface Sharing {
  /** Sends a message to the receptor of the token. `trace_id` continues a thread of the token. */
  invoke(
    caller: Caller,
    address: { workspace_slug: string; slug: string },
    message: { message: string; trace_id?: string },
    idempotency?: Idempotency,
  ): Promise<AcceptedMessage>
  readTrace(
    caller: Caller,
    id: string,
    page: { limit: number; offset: number },
  ): Promise<{ trace: SharedTrace; messages: SharedMessage[]; total: number }>
  /** Sends a message to a thread of the token. */
  continueTrace(caller: Caller, id: string, message: string, idempotency?: Idempotency): Promise<AcceptedMessage>
  /** Checks that the token opens the stream of a job of the thread. */
  checkStream(caller: Caller, jobId: string, traceId: string): Promise<void>
}

interface Deps {
  db: Database
  receptors: ReceptorsService
  chat: Chat
  traces: TracesService
  jobs: Pick<JobsService, 'detail'>
}

/** Creates the service of the public routes. */
export function createSharing({ db, receptors, chat, traces, jobs }: Deps): Sharing {
  /** Counts a message that is sent with the token. Throws Forbidden when none is left. */
  async function use({ principal }: Caller): Promise<void> {
    const isLeft = await db.inWorkspace(principal.workspace_id, tx => countUse(tx, principal.key_id))
    if (!isLeft) throw new Forbidden('The share token has no use left')
  }

  /** Throws NotFound for a thread that the token does not open. */
  async function openTrace({ principal, share }: Caller, id: string, page = { limit: 1, offset: 0 }) {
    const found = await traces.read(principal, id, page)
    const isOpen = share?.type === 'trace' ? share.id === found.trace.id : found.trace.actor === principal.actor
    if (!isOpen) throw new NotFound('Trace')
    return found
  }

  return {
    async invoke(caller, { workspace_slug, slug }, { message, trace_id }, idempotency) {
      checkRight(caller, 'write')
      const { principal, share } = caller
      checkWorkspace(principal, workspace_slug)
      const { receptor_id } = await receptors.open(principal, slug)
      if (share?.id !== receptor_id) throw new NotFound('Receptor')
      if (trace_id !== undefined) await openTrace(caller, trace_id)
      await use(caller)
      return withoutCause(chat(principal, trace_id ?? NEW_TRACE, { message, receptor: receptor_id }, idempotency))
    },

    async readTrace(caller, id, page) {
      checkRight(caller, 'read')
      const { trace, messages, total } = await openTrace(caller, id, page)
      return { trace: toShared(trace), messages: messages.map(toSharedMessage), total }
    },

    async continueTrace(caller, id, message, idempotency) {
      checkRight(caller, 'write')
      await openTrace(caller, id)
      await use(caller)
      return withoutCause(chat(toCreator(caller), id, { message }, idempotency))
    },

    async checkStream(caller, jobId, traceId) {
      checkRight(caller, 'read')
      await openTrace(caller, traceId)
      const { trace_id } = await jobs.detail(caller.principal, jobId)
      if (trace_id !== traceId) throw new NotFound('Job')
    },
  }
}

/** The visitor with the permissions of the creator of the token. */
const toCreator = ({ principal, share }: Caller): Principal => ({
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

const toShared = ({ id, title, turns, created_at, updated_at }: TraceView): SharedTrace => ({
  id,
  title,
  turns,
  created_at,
  updated_at,
})

const toSharedMessage = ({ turn, role, job_id, at, text }: MessageView): SharedMessage => ({
  turn,
  role,
  job_id,
  at,
  text,
})
