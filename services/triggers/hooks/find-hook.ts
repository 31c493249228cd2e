import { timingSafeEqual } from 'node:crypto'
import { findByPrefix, noteUse } from '../../../data/access/credentials-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { findHookSecrets } from '../../../data/triggers/hook-secrets-store.ts'
import { findResource } from '../../../data/resources/resources-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import type { WebhookSettings } from '../../../domain/triggers/types/webhook.ts'
import { computeHmac, parseToken } from '../../access/credentials/token.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { findTriggerPrincipal } from '../principal.ts'

/** The data needed to process a request to a hook. */
export interface Hook {
  workspaceId: string
  triggerId: string
  triggerVersion: number
  brainId: string | null
  settings: WebhookSettings
  /** The valid secrets, with the current secret first. */
  secrets: string[]
  /** The known creators of the hook's token and secrets. */
  people: string[]
  /** The principal for the hook's runs. */
  principal: Principal
}

interface Deps {
  db: Database
  /** HMAC key used to store tokens. */
  secret: string
  encryption: Encryption
}

/** Finds the hook for a token. Throws NotFound. Malformed tokens are rejected without a lookup. */
export type FindHook = (token: string) => Promise<Hook>

/** Concurrent requests share a lookup. The result is not cached, so that an expired token is rejected immediately. */
export function createFindHook(deps: Deps): FindHook {
  const lookUp = createLookUp(deps)
  const pending = new Map<string, Promise<Hook>>()
  return token => {
    const shared = pending.get(token) ?? lookUp(token).finally(() => pending.delete(token))
    pending.set(token, shared)
    return shared
  }
}

const createLookUp =
  ({ db, secret, encryption }: Deps): FindHook =>
  async token => {
    const parsed = parseToken(token)
    if (parsed?.kind !== 'hook_token') throw new NotFound('Hook')
    const { workspace_id: workspaceId, prefix } = parsed
    return db.inWorkspace(workspaceId, async tx => {
      const credential = await findByPrefix(tx, prefix)
      const isValid =
        credential?.kind === 'hook_token' &&
        timingSafeEqual(credential.hmac, computeHmac(token, secret)) &&
        credential.revoked_at === null &&
        (credential.expires_at === null || Date.parse(credential.expires_at) > Date.now())
      const triggerId = credential?.target_id ?? ''
      const head = isValid
        ? await findResource(tx, { kind: 'triggers', idOrSlug: triggerId, brain_ids: null })
        : undefined
      const document = head?.document as TriggerDocument | undefined
      if (!credential || !head || document?.trigger_type !== 'webhook' || !document.webhook) throw new NotFound('Hook')
      const hookSecrets = await findHookSecrets(tx, triggerId)
      const secrets = [hookSecrets?.secret, hookSecrets?.previous_secret].flatMap(ciphertext =>
        ciphertext ? [encryption.decrypt(ciphertext, triggerId)] : [],
      )
      const principal = await findTriggerPrincipal(tx, workspaceId, head)
      // Must be last, because copies of a delivery wait for the row.
      await noteUse(tx, credential)
      const people = [...credential.makers, ...(hookSecrets?.set_by ?? [])]
      const { version: triggerVersion, brain_id: brainId } = head
      return { workspaceId, triggerId, triggerVersion, brainId, settings: document.webhook, secrets, people, principal }
    })
  }
