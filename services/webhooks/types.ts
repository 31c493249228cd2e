import type { Delivery, DeliveryStatus } from '../../data/webhooks/webhook-deliveries-store.ts'
import type { Webhook } from '../../data/webhooks/webhooks-store.ts'
import type { EventFilter } from '../../domain/webhooks/events.ts'
import type { Principal } from '../../domain/access/principal.ts'

export type DeliveryView = Delivery

/** A webhook without its secrets. */
export interface WebhookView {
  id: string
  scope: 'workspace' | 'brain'
  brain_id: string | null
  url: string
  description: string | null
  event_types: EventFilter[]
  is_active: boolean
  disabled_at: string | null
  disabled_reason: Webhook['disabled_reason']
  /** The first failure since the last success. */
  failing_since: string | null
  /** Until when the secret before the rotation signs, too. */
  previous_secret_until: string | null
  created_by: string
  created_at: string
  updated_at: string
}

/** A webhook with its new secret, which is shown once. */
export interface WebhookWithSecret extends WebhookView {
  secret: string
}

export interface WebhookFields {
  url: string
  event_types: EventFilter[]
  description?: string | null
  /** Default: the brain of the request or of a credential that is bound to brains; else the workspace. */
  scope?: 'workspace' | 'brain'
}

export interface WebhookChange {
  url?: string
  event_types?: EventFilter[]
  description?: string | null
  is_active?: boolean
}

interface PageRequest {
  limit: number
  offset: number
}

/** Webhooks. Methods throw NotFound for what the principal may not see, and Forbidden for what it may not change. */
export interface Webhooks {
  list(principal: Principal, page: PageRequest): Promise<{ data: WebhookView[]; total: number }>
  get(principal: Principal, id: string): Promise<WebhookView>
  /** Throws ValidationError for a URL that may not be called, and Conflict above the limit of webhooks. */
  create(principal: Principal, fields: WebhookFields): Promise<WebhookWithSecret>
  /** Throws ValidationError for a URL that may not be called. */
  change(principal: Principal, id: string, change: WebhookChange): Promise<WebhookView>
  remove(principal: Principal, id: string): Promise<void>
  /** Replaces the secret. The present one signs, too, for this number of hours. */
  rotateSecret(principal: Principal, id: string, overlapHours: number): Promise<WebhookWithSecret>
  deliveries(
    principal: Principal,
    id: string,
    filter: PageRequest & { status?: DeliveryStatus },
  ): Promise<{ data: DeliveryView[]; total: number }>
  /** Sends a `webhook.test`. Throws Conflict for a webhook that is disabled. */
  test(principal: Principal, id: string): Promise<DeliveryView>
  /** Delivers the same body with the same id again. Throws Conflict while it is pending or the webhook is disabled. */
  replay(principal: Principal, id: string, deliveryId: string): Promise<DeliveryView>
}
