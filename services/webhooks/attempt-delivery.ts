import { Webhook as Signer } from 'standardwebhooks'
import { DELIVERY, writeAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import {
  type DeliveryAttempt,
  type DeliveryToSend,
  failDelivery,
  saveAttempt,
  takeDelivery,
} from '../../data/webhooks/webhook-deliveries-store.ts'
import { noteFailure, noteSuccess } from '../../data/webhooks/webhooks-store.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { computeRetryDelay } from '../../domain/webhooks/webhook-retries.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

export interface WebhookResponse {
  status: number
  /** The start of the response body. */
  text: string
  /** The delay requested by the endpoint. */
  retryAfterMs?: number
}

/** Sends one request. Throws StepError if there is no response or if the URL must not be called. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResponse>

/** Attempts a due delivery. Returns the delay before the next attempt, or undefined if the delivery has ended. */
export type AttemptDelivery = (
  workspaceId: string,
  deliveryId: string,
  signal: AbortSignal,
) => Promise<{ retry_in_ms?: number }>

interface Deps {
  db: Database
  encryption: Encryption
  send: SendWebhook
  disableAfterDays: number
}

interface Outcome extends DeliveryAttempt {
  isSuccess: boolean
  /** True if the endpoint no longer accepts deliveries. */
  isGone: boolean
  /** False if another attempt cannot succeed. */
  isRetryable: boolean
  retryAfterMs?: number
}

const HTTP_GONE = 410
const ENDED = {}

export function createDeliveryAttempts({ db, encryption, send, disableAfterDays }: Deps): AttemptDelivery {
  /** Makes one attempt and returns its outcome. Throws only the signal's reason. */
  async function attempt(delivery: DeliveryToSend, signal: AbortSignal): Promise<Outcome> {
    const { url, body } = delivery
    const began = Date.now()
    const at = new Date(began).toISOString()
    const headers = signHeaders(delivery, new Date(began), encryption)
    try {
      const { status, text, retryAfterMs } = await send({ url, headers, body, signal })
      const [isSuccess, isGone] = [status >= 200 && status < 300, status === HTTP_GONE]
      const latency_ms = Date.now() - began
      return { at, latency_ms, status, response: text, isSuccess, isGone, isRetryable: !isGone, retryAfterMs }
    } catch (error) {
      if (!(error instanceof StepError)) throw error
      const { code, message, retryable } = error
      const latency_ms = Date.now() - began
      return { at, latency_ms, error: { code, message }, isSuccess: false, isGone: false, isRetryable: retryable }
    }
  }

  async function save(
    workspaceId: string,
    delivery: DeliveryToSend,
    outcome: Outcome,
  ): Promise<{ retry_in_ms?: number }> {
    const { isSuccess, isGone, isRetryable, retryAfterMs, ...logged } = outcome
    const delay = isSuccess || !isRetryable ? undefined : computeRetryDelay(delivery.attempts + 1, retryAfterMs)
    return db.inWorkspace(workspaceId, async tx => {
      const { id, webhook_id } = delivery
      const disabled = isSuccess
        ? await noteSuccess(tx, webhook_id)
        : await noteFailure(tx, webhook_id, { isGone, disableAfterDays })
      if (disabled)
        await writeAudit(tx, DELIVERY, {
          action: 'webhook.disable',
          target: webhook_id,
          details: { reason: disabled, delivery_id: id },
        })
      const retry_in_ms = disabled ? undefined : delay
      const status = isSuccess ? 'succeeded' : retry_in_ms === undefined ? 'failed' : 'pending'
      const next_attempt_at = retry_in_ms === undefined ? null : new Date(Date.now() + retry_in_ms).toISOString()
      await saveAttempt(tx, id, { attempt: logged, status, next_attempt_at })
      return { retry_in_ms }
    })
  }

  return async (workspaceId, deliveryId, signal) => {
    const delivery = await db.inWorkspace(workspaceId, tx => takeDelivery(tx, deliveryId))
    if (!delivery || delivery.status !== 'pending') return ENDED
    if (delivery.disabled_at !== null) {
      await db.inWorkspace(workspaceId, tx => failDelivery(tx, deliveryId))
      return ENDED
    }
    const waitMs = Date.parse(delivery.next_attempt_at ?? '') - Date.now()
    if (waitMs > 0) return { retry_in_ms: waitMs }
    return save(workspaceId, delivery, await attempt(delivery, signal))
  }
}

/** Builds the Standard Webhooks headers. During a secret rotation, they contain two signatures. */
function signHeaders(delivery: DeliveryToSend, now: Date, encryption: Encryption): Record<string, string> {
  const { event_id, webhook_id, body, secret, previous_secret } = delivery
  const secrets = previous_secret ? [secret, previous_secret] : [secret]
  const messageId = `msg_${event_id}`
  const signatures = secrets.map(ciphertext =>
    new Signer(encryption.decrypt(ciphertext, webhook_id)).sign(messageId, now, body),
  )
  return {
    'content-type': 'application/json',
    'user-agent': 'Ganglion-Webhooks',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}
