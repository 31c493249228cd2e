import { createHash, ECDH } from 'node:crypto'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import {
  deletePushSubscriptions,
  findPushSubscription,
  savePushSubscription,
} from '../../../data/channels/push-subscriptions-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import type { PushSubscriptionFields, PushSubscriptionView } from '../../../contract/channels/push-subscription.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { ensureNotificationRule } from '../notifications/rules.ts'
import { getChannel } from '../open-channel.ts'

/** The browsers of members that show notifications. Methods throw NotFound for other channels than web push. */
export interface PushSubscriptionsService {
  /**
   * Sends the caller's notifications to a browser. A browser that another member has used no longer receives the
   * notifications of that member. Throws ValidationError for invalid keys.
   */
  save(principal: Principal, channelName: string, fields: PushSubscriptionFields): Promise<PushSubscriptionView>
  /** Throws NotFound if the caller has no subscription with this id. */
  remove(principal: Principal, channelName: string, id: string): Promise<void>
}

interface Deps {
  db: Database
  encryption: Encryption
}

export function createPushSubscriptions({ db, encryption }: Deps): PushSubscriptionsService {
  return {
    save(principal, channelName, { endpoint, keys }) {
      checkPublicKey(keys.p256dh)
      const { workspace_id, actor } = principal
      return db.inWorkspace(workspace_id, async tx => {
        const { id: channel_id, name } = await getWebPush(tx, channelName)
        const id = createHash('sha256').update(endpoint).digest('hex')
        const before = await findPushSubscription(tx, { channel_id, id })
        const subscription = encryption.encrypt(JSON.stringify({ endpoint, keys }), id)
        const after = await savePushSubscription(tx, { channel_id, id, actor, subscription })
        await ensureNotificationRule(tx, actor, channel_id)
        await writeAudit(tx, principal, {
          action: before ? 'push_subscription.update' : 'push_subscription.create',
          target: name,
          ...(before ? { before, after } : { after }),
        })
        return { id, created_at: after.created_at }
      })
    },

    remove: (principal, channelName, id) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { id: channel_id, name } = await getWebPush(tx, channelName)
        const before = await findPushSubscription(tx, { channel_id, id })
        if (before?.actor !== principal.actor) throw new NotFound('Your subscription in this channel')
        await deletePushSubscriptions(tx, channel_id, [id])
        await writeAudit(tx, principal, { action: 'push_subscription.delete', target: name, before })
      }),
  }
}

async function getWebPush(tx: Tx, name: string): Promise<{ id: string; name: string }> {
  const channel = await getChannel(tx, name)
  if (channel.type !== 'web_push') throw new NotFound(`Web push channel "${name}"`)
  return channel
}

/** Throws ValidationError unless the key is a point of the curve. */
function checkPublicKey(key: string): void {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
  } catch {
    throw invalidRequestError([{ pointer: '/keys/p256dh', message: 'must be a P-256 public key' }])
  }
}
