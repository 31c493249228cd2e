import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import {
  hasDelivery,
  insertDelivery,
  listDeliveries,
  reopenDelivery,
} from '../../data/webhooks/webhook-deliveries-store.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type Webhook,
} from '../../data/webhooks/webhooks-store.ts'
import { Conflict, NotFound } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { isUuid } from '../../domain/shared/uuid.ts'
import type { WebhookFields, WebhookView, WebhookWithSecret, WebhookChange } from '../../contract/webhooks/webhook.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import type { DeliveriesQuery, DeliveryView } from '../../contract/webhooks/delivery.ts'
import { checkWritable, contextBrain, visibleBrains } from '../access/brains.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'
import type { CheckUrl } from './check-url.ts'
import type { DeliveryStarter } from './start-deliveries.ts'

/**
 * Webhooks. Methods throw NotFound for webhooks that the principal cannot see, and Forbidden for webhooks that the
 * principal may not change.
 */
export interface Webhooks {
  list(principal: Principal, page: PageQuery): Promise<{ data: WebhookView[]; total: number }>
  get(principal: Principal, id: string): Promise<WebhookView>
  /**
   * Throws ValidationError for a URL that must not be called, and Conflict if the workspace already has the maximum
   * number of webhooks.
   */
  create(principal: Principal, fields: WebhookFields): Promise<WebhookWithSecret>
  /** Throws ValidationError for a URL that must not be called. */
  change(principal: Principal, id: string, change: WebhookChange): Promise<WebhookView>
  remove(principal: Principal, id: string): Promise<void>
  /** Replaces the secret. The previous secret also signs deliveries for `overlapHours`. */
  rotateSecret(principal: Principal, id: string, overlapHours: number): Promise<WebhookWithSecret>
  deliveries(
    principal: Principal,
    id: string,
    filter: DeliveriesQuery,
  ): Promise<{ data: DeliveryView[]; total: number }>
  /** Sends a `webhook.test` event. Throws Conflict for a disabled webhook. */
  test(principal: Principal, id: string): Promise<DeliveryView>
  /**
   * Sends the same body again with the same id. Throws Conflict while the delivery is pending or the webhook is
   * disabled.
   */
  replay(principal: Principal, id: string, deliveryId: string): Promise<DeliveryView>
}

interface Deps {
  db: Database
  encryption: Encryption
  checkUrl: CheckUrl
  starter: Pick<DeliveryStarter, 'start'>
}

/** Maximum number of webhooks per workspace. Every published event is matched against all of them. */
const MAX_WEBHOOKS = 100
const SECRET_BYTES = 32

export function createWebhooks({ db, encryption, checkUrl, starter }: Deps): Webhooks {
  /** Changes a webhook while its row is locked, and writes the change to the audit log. */
  const changeWebhook = <T>(
    principal: Principal,
    id: string,
    action: 'update' | 'delete' | 'rotate_secret' | 'test' | 'replay',
    work: (tx: Tx, webhook: Webhook) => Promise<T>,
  ) =>
    db.inWorkspace(principal.workspace_id, async tx => {
      const webhook = await getWebhook(tx, principal, id, { lock: true })
      checkWritable(principal, webhook.brain_id)
      const result = await work(tx, webhook)
      const after = await findWebhook(tx, id, { brain_ids: null })
      await writeAudit(tx, principal, {
        action: `webhook.${action}`,
        target: id,
        brain_id: webhook.brain_id,
        before: presentWebhook(webhook),
        after: after && presentWebhook(after),
      })
      return result
    })

  const newSecret = (id: string) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    return { secret, encrypted: encryption.encrypt(secret, id) }
  }

  return {
    async list(principal, { limit, offset }) {
      const filter = { brain_ids: visibleBrains(principal), limit, offset }
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx => listWebhooks(tx, filter))
      return { data: rows.map(presentWebhook), total }
    },

    get: (principal, id) =>
      db.inWorkspace(principal.workspace_id, async tx => presentWebhook(await getWebhook(tx, principal, id))),

    async create(principal, fields) {
      const brain_id = chooseBrain(principal, fields)
      checkWritable(principal, brain_id)
      await checkUrl(fields.url)
      const id = randomUUIDv7()
      const { secret, encrypted } = newSecret(id)
      const { url, event_types, description = null } = fields
      const row = { id, brain_id, url, event_types, description, created_by: principal.actor, secret: encrypted }
      const webhook = await db.inWorkspace(principal.workspace_id, async tx => {
        if ((await countWebhooks(tx)) >= MAX_WEBHOOKS)
          throw new Conflict(`The workspace has ${MAX_WEBHOOKS} webhooks, which is the maximum`)
        const inserted = await insertWebhook(tx, row)
        const after = presentWebhook(inserted)
        await writeAudit(tx, principal, { action: 'webhook.create', target: id, brain_id, after })
        return inserted
      })
      return { ...presentWebhook(webhook), secret }
    },

    async change(principal, id, change) {
      if (change.url !== undefined) await checkUrl(change.url)
      return presentWebhook(await changeWebhook(principal, id, 'update', tx => updateWebhook(tx, id, change)))
    },

    remove: (principal, id) => changeWebhook(principal, id, 'delete', tx => deleteWebhook(tx, id)),

    async rotateSecret(principal, id, overlapHours) {
      const { secret, encrypted } = newSecret(id)
      const previousUntil = new Date(Date.now() + overlapHours * 3_600_000).toISOString()
      const rotated = await changeWebhook(principal, id, 'rotate_secret', tx =>
        rotateSecret(tx, id, { secret: encrypted, previousUntil }),
      )
      return { ...presentWebhook(rotated), secret }
    },

    deliveries: (principal, id, filter) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        await getWebhook(tx, principal, id)
        const { rows, total } = await listDeliveries(tx, { webhook_id: id, ...filter })
        return { data: rows, total }
      }),

    async test(principal, id) {
      const delivery = await changeWebhook(principal, id, 'test', async (tx, webhook) => {
        requireActive(webhook)
        const event = { id: randomUUID(), type: 'webhook.test', webhook: { id }, at: new Date().toISOString() }
        return insertDelivery(tx, {
          webhook_id: id,
          event_id: event.id,
          event_type: event.type,
          body: JSON.stringify(event),
        })
      })
      starter.start({ ...delivery, workspace_id: principal.workspace_id })
      return delivery
    },

    async replay(principal, id, deliveryId) {
      const delivery = await changeWebhook(principal, id, 'replay', async (tx, webhook) => {
        if (!isUuid(deliveryId) || !(await hasDelivery(tx, id, deliveryId))) throw new NotFound('Delivery')
        requireActive(webhook)
        const reopened = await reopenDelivery(tx, id, deliveryId)
        if (!reopened) throw new Conflict('The delivery is pending')
        return reopened
      })
      starter.start({ ...delivery, workspace_id: principal.workspace_id })
      return delivery
    },
  }
}

async function getWebhook(tx: Tx, principal: Principal, id: string, { lock = false } = {}): Promise<Webhook> {
  const filter = { brain_ids: visibleBrains(principal), lock }
  const webhook = isUuid(id) ? await findWebhook(tx, id, filter) : undefined
  if (!webhook) throw new NotFound('Webhook')
  return webhook
}

function requireActive({ disabled_at }: Webhook): void {
  if (disabled_at !== null) throw new Conflict('The webhook is disabled')
}

/** Brain-bound credentials, and requests that name a brain, create webhooks for that brain. */
function chooseBrain(principal: Principal, { scope }: WebhookFields): string | null {
  const isOfBrain = principal.brain_ids !== null || principal.brain?.isExplicit === true
  return (scope ?? (isOfBrain ? 'brain' : 'workspace')) === 'brain' ? contextBrain(principal) : null
}

const presentWebhook = ({ id, brain_id, ...webhook }: Webhook): WebhookView => ({
  id,
  scope: brain_id === null ? 'workspace' : 'brain',
  brain_id,
  is_active: webhook.disabled_at === null,
  ...webhook,
})
