import { randomBytes } from 'node:crypto'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import {
  listHookTokens,
  findCredential,
  revokeCredential,
  updateCredential,
  type Credential,
} from '../../../data/access/credentials-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { findHookSecrets, saveHookSecret } from '../../../data/triggers/hook-secrets-store.ts'
import type { Resource } from '../../../data/resources/resources-store.ts'
import { Conflict } from '../../../domain/shared/errors.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import type { SignatureScheme } from '../../../domain/triggers/hooks/signature.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import type { WebhookSettings } from '../../../domain/triggers/types/webhook.ts'
import type { HookView, IssuedHookToken, IssuedHookSecret } from '../../../contract/triggers/hook.ts'
import { issueCredential } from '../../access/credentials/issuing.ts'
import type { Encryption } from '../../shared/encryption/encryption.ts'
import { getHead, lockHead } from '../../resources/finding.ts'
import { findScheme } from './schemes/index.ts'
import type { HookRequest, HookReply } from './receive.ts'
import { auditCredential } from '../../access/audit.ts'

export interface Hooks {
  /** Throws NotFound, and Conflict for a trigger of another type. The other methods throw the same errors. */
  read(principal: Principal, idOrSlug: string): Promise<HookView>
  /** Creates a new token. The current token stays valid for `overlapHours`. */
  rotateToken(principal: Principal, idOrSlug: string, overlapHours: number): Promise<IssuedHookToken>
  /**
   * Sets or generates the signing secret. The current secret stays valid for the overlap hours. Throws
   * ValidationError if the scheme cannot use the secret, or if the sender must generate the secret.
   */
  rotateSecret(
    principal: Principal,
    idOrSlug: string,
    change: { secret?: string; overlapHours: number },
  ): Promise<IssuedHookSecret>
  /**
   * Receives a request. Throws NotFound for an unknown token, AuthRequired for an invalid signature, and
   * RateLimited above a limit. Throws Conflict for a paused trigger or a target that cannot be started, and
   * ValidationError for a body that does not match the mapping. Throws RunFailed if the hook waits for the run and the
   * run fails.
   */
  receive(token: string, request: HookRequest): Promise<HookReply>
}

interface Deps {
  db: Database
  /** HMAC key used to store tokens. */
  secret: string
  encryption: Encryption
  /** The service's public URL. */
  baseUrl?: string
  receive: Hooks['receive']
}

const HOUR_MS = 3_600_000
const SECRET_BYTES = 32

export function createHooks({ db, secret, encryption, baseUrl, receive }: Deps): Hooks {
  const inHook = <T>(
    principal: Principal,
    idOrSlug: string,
    work: (tx: Tx, head: Resource, settings: WebhookSettings) => Promise<T>,
  ) =>
    db.inWorkspace(principal.workspace_id, async tx => {
      const head = await lockHead(tx, principal, { kind: 'triggers', idOrSlug })
      return work(tx, head, getSettings(head))
    })

  return {
    read: (principal, idOrSlug) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getHead(tx, principal, { kind: 'triggers', idOrSlug })
        return present(tx, head, getSettings(head))
      }),

    rotateToken: (principal, idOrSlug, overlapHours) =>
      inHook(principal, idOrSlug, async (tx, head, settings) => {
        await endTokens(tx, principal, head.id, overlapHours)
        const fields = { kind: 'hook_token', name: head.slug, target_id: head.id } as const
        const { token } = await issueCredential(tx, secret, principal, fields)
        const path = `/v1/public/hooks/${token}`
        const url = baseUrl === undefined ? path : new URL(path, baseUrl).href
        return { ...(await present(tx, head, settings)), token, url }
      }),

    rotateSecret: (principal, idOrSlug, { secret: newSecret, overlapHours }) =>
      inHook(principal, idOrSlug, async (tx, head, settings) => {
        const hookSecret = newSecret ?? makeSecret(settings)
        checkSecret(settings, hookSecret)
        const before = await present(tx, head, settings)
        await saveHookSecret(tx, head.id, {
          secret: encryption.encrypt(hookSecret, head.id),
          previousUntil: computeEnd(overlapHours),
          by: principal.actor,
        })
        const after = await present(tx, head, settings)
        const { id: target, brain_id } = head
        await writeAudit(tx, principal, { action: 'trigger.rotate_secret', target, brain_id, before, after })
        return { ...after, secret: newSecret === undefined ? hookSecret : null }
      }),

    receive,
  }
}

const computeEnd = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** Throws Conflict for a trigger of another type. */
function getSettings({ document }: Resource): WebhookSettings {
  const { trigger_type, webhook } = document as TriggerDocument
  if (trigger_type !== 'webhook' || !webhook) throw new Conflict('The trigger is not of the type webhook')
  return webhook
}

async function present(tx: Tx, { id }: Resource, { signature }: WebhookSettings): Promise<HookView> {
  const tokens = await listHookTokens(tx, id)
  const secrets = await findHookSecrets(tx, id)
  return {
    trigger_id: id,
    signature: signature.scheme,
    tokens: tokens.map(({ prefix, created_at, created_by, expires_at, last_used_at }) => ({
      prefix,
      created_at,
      created_by,
      expires_at,
      last_used_at,
    })),
    has_secret: secrets !== undefined,
    secret_updated_at: secrets?.updated_at ?? null,
    previous_secret_until: secrets?.previous_secret_until ?? null,
  }
}

/** Schemes for which the sender generates the secrets. */
const MADE_BY_SENDER = new Set<SignatureScheme>(['stripe', 'slack'])

function makeSecret({ signature: { scheme } }: WebhookSettings): string {
  if (MADE_BY_SENDER.has(scheme)) throw secretError(`is required: ${scheme} generates the signing secret`)
  const bytes = randomBytes(SECRET_BYTES)
  return scheme === 'standard_webhooks' ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex')
}

function checkSecret({ signature }: WebhookSettings, secret: string): void {
  const scheme = findScheme(signature)
  if (!scheme.toKey(secret)) throw secretError(scheme.secretRule)
}

const secretError = (message: string) => invalidRequestError([{ pointer: '/secret', message }])

const KIND = 'hook_token'

/** Sets the hook's current token to expire after the given number of hours, and revokes older tokens. */
async function endTokens(tx: Tx, by: Principal, triggerId: string, overlapHours: number): Promise<void> {
  const [present, ...former] = await listHookTokens(tx, triggerId)
  for (const token of former) await revoke(tx, by, token)
  if (!present) return
  if (overlapHours === 0) await revoke(tx, by, present)
  else await expire(tx, by, present, new Date(Date.now() + overlapHours * HOUR_MS).toISOString())
}

async function revoke(tx: Tx, by: Principal, token: Credential): Promise<void> {
  await revokeCredential(tx, KIND, token.id)
  await auditCredential(tx, by, 'revoke', { before: token })
}

async function expire(tx: Tx, by: Principal, token: Credential, expires_at: string): Promise<void> {
  await updateCredential(tx, KIND, token.id, { expires_at })
  const after = await findCredential(tx, KIND, token.id)
  await auditCredential(tx, by, 'update', { before: token, after: after ?? token })
}
