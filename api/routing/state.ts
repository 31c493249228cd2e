import type { ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Principal } from '../../domain/principal.ts'
import type { Idempotency } from '../../services/jobs/types.ts'

/** What the middleware learns about a request, in the order in which it learns it. */
export interface AppState {
  requestId: string
  log: Logger
  /** Set by `auth`; its brain by `brain`. */
  principal?: Principal
  /** The body as JSON, still unchecked; set by `body`, or by `uploadBody` where a route takes a document. */
  json?: unknown
  /** True when it came as multipart/form-data. */
  isForm?: boolean
  /** Set by `validate`. */
  input?: { params: unknown; query: unknown; body: unknown }
  idempotency?: Idempotency
  /** The job a request is about, for its log line. */
  jobId?: string
}

export type AppContext = ParameterizedContext<AppState>
export type Next = () => Promise<unknown>
export type Step = (ctx: AppContext, next: Next) => Promise<unknown>
