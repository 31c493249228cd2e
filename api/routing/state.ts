import type { ParameterizedContext } from 'koa'
import type { Logger } from 'pino'
import type { Principal } from '../../domain/access/principal.ts'
import type { Caller } from '../../services/access/callers.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'

/** A request's state. The fields are in the order in which the middleware sets them. */
export interface AppState {
  requestId: string
  /** Whether the client uses HTTPS. */
  isSecure: boolean
  log: Logger
  /** Origin of the page that sent the request, unless the service trusts all pages of this origin. */
  foreignOrigin?: string
  /** Declared path of the route. Undefined if no route matched. */
  route?: string
  /** Set by `auth`. */
  caller?: Caller
  /** Set by `auth`. The `brain` step sets the explicit brain of the principal. */
  principal?: Principal
  /** True once the request has been counted for the rate limit. */
  isCounted?: boolean
  /**
   * Parsed body before validation. Set by `body`, or by `uploadBody` for a route that accepts a document. If the
   * request has no body, `validate` sets an empty object.
   */
  json?: unknown
  /** Decompressed bytes of the body. Set for a route that accepts any media type. */
  rawBody?: Buffer
  /** True if the body was sent as multipart/form-data. */
  isForm?: boolean
  /** Set by `validate`. */
  input?: { params: unknown; query: unknown; body: unknown; brain_id?: string }
  idempotency?: Idempotency
  /** Job that the request started or names, for its log line. */
  jobId?: string
}

export type AppContext = ParameterizedContext<AppState>
export type Next = () => Promise<unknown>
export type Step = (ctx: AppContext, next: Next) => Promise<unknown>
