import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { SignatureScheme } from '../../../domain/triggers/hooks/signature.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { FiringDecision } from '../../../domain/triggers/firing.ts'

/** A request to a hook, before it is checked. */
export interface HookRequest {
  /** Lower-case names. A header that was sent several times has its values joined with a comma. */
  headers: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** After inflation. */
  body: Buffer
}

/** What the sender of a request is told. */
export type HookReply =
  /** The response to a challenge of the sender. */
  | { type: 'answer'; body: JsonValue }
  /** A run was started, by this request or by an earlier copy of it. */
  | { type: 'accepted'; job_id: string; firing_id: string; decision: FiringDecision; status: string }
  /** The run has completed, for a hook that waits for it. */
  | { type: 'completed'; job_id: string; firing_id: string; result: JsonValue }
  /** Nothing was started, as the trigger wants it. */
  | { type: 'ignored'; firing_id: string; decision: FiringDecision }

/** The part of a token that may be shown. */
export interface HookTokenView {
  prefix: string
  created_at: string
  created_by: string | null
  /** Set once the token has been replaced. */
  expires_at: string | null
  /** To the minute. */
  last_used_at: string | null
}

/** The address of a webhook trigger, without its secret parts. */
export interface HookView {
  trigger_id: string
  signature: SignatureScheme
  /** The valid tokens, latest first. None: the hook has no address yet. */
  tokens: HookTokenView[]
  has_secret: boolean
  secret_updated_at: string | null
  previous_secret_until: string | null
}

/** A new token, which is shown once. */
export interface IssuedHookToken extends HookView {
  token: string
  /** The address that senders call; a path where the service does not know its own address. */
  url: string
}

/** A new secret. `secret` is shown once, and only if the service has made it. */
export interface IssuedHookSecret extends HookView {
  secret: string | null
}

export interface Hooks {
  /** Throws NotFound, and Conflict for a trigger of another type; so do the others. */
  read(principal: Principal, idOrSlug: string): Promise<HookView>
  /** Makes a new token. The present one stays valid for this number of hours. */
  rotateToken(principal: Principal, idOrSlug: string, overlapHours: number): Promise<IssuedHookToken>
  /**
   * Sets the secret of signatures, or makes one. The present one stays valid for this number of hours. Throws
   * ValidationError for a secret that the scheme cannot use, and where the sender makes the secret.
   */
  rotateSecret(
    principal: Principal,
    idOrSlug: string,
    change: { secret?: string; overlapHours: number },
  ): Promise<IssuedHookSecret>
  /**
   * Takes a request. Throws NotFound for an unknown token, AuthRequired for a signature that does not fit, RateLimited
   * above a limit, Conflict for a trigger that is paused or whose target cannot be started, ValidationError for a body that
   * the mapping does not fit, RunFailed where the hook waits for the run.
   */
  receive(token: string, request: HookRequest): Promise<HookReply>
}
