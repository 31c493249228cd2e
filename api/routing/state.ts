import type { ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Principal } from '../../domain/access/principal.ts'
import type { Caller } from '../../services/access/callers.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'

/** The state of a request, in the order in which the middleware sets it. */
export interface AppState {
  requestId: string
  /** Whether the client uses HTTPS. */
  isSecure: boolean
  log: Logger
  /** The path of the route as it is declared. Undefined where no route fits. */
  route?: string
  /** Set by `auth`. */
  caller?: Caller
  /** Set by `auth`; its explicit brain context by `brain`. */
  principal?: Principal
  /** True once the request is counted for its rate limit. */
  isCounted?: boolean
  /**
   * The parsed but unchecked body. Set by `body`, or by `uploadBody` for a route that takes a document. Where there is no
   * body, `validate` sets an empty object.
   */
  json?: unknown
  /** Set for a route that takes a body of any media type: its bytes, inflated. */
  rawBody?: Buffer
  /** True if the body was sent as multipart/form-data. */
  isForm?: boolean
  /** Set by `validate`. */
  input?: { params: unknown; query: unknown; body: unknown; brain_id?: string }
  idempotency?: Idempotency
  /** The job that the request concerns, for its log line. */
  jobId?: string
}

export type AppContext = ParameterizedContext<AppState>
export type Next = () => Promise<unknown>
export type Step = (ctx: AppContext, next: Next) => Promise<unknown>
