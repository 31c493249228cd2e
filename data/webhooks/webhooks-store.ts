import type { EventFilter } from '../../domain/webhooks/events.ts'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

export type DisabledReason = 'requested' | 'gone' | 'failing'

export interface Webhook {
  id: string
  brain_id: string | null
  url: string
  description: string | null
  event_types: EventFilter[]
  previous_secret_until: string | null
  failing_since: string | null
  disabled_at: string | null
  disabled_reason: DisabledReason | null
  created_by: string
  created_at: string
  updated_at: string
}

export type NewWebhook = Pick<Webhook, 'id' | 'brain_id' | 'url' | 'description' | 'event_types' | 'created_by'> & {
  /** Encrypted. */
  secret: Buffer
}

export type WebhookPatch = Partial<Pick<Webhook, 'url' | 'description' | 'event_types'>> & { is_active?: boolean }

const COLUMNS = `id, brain_id, url, description, event_types, failing_since, disabled_at, disabled_reason, created_by,
  created_at, updated_at, case when previous_secret_until > now() then previous_secret_until end as previous_secret_until`

const VISIBLE = '(brain_id is null or brain_id = any(?))'

export async function countWebhooks(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>('select count(*) from webhooks')
  return row?.count ?? 0
}

export async function insertWebhook(tx: Tx, webhook: NewWebhook): Promise<Webhook> {
  const { id, brain_id, url, description, event_types, created_by, secret } = webhook
  const [inserted] = await tx.query<Webhook[]>(
    `insert into webhooks (id, brain_id, url, description, event_types, created_by, secret)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [id, brain_id, url, description, event_types, created_by, secret],
  )
  return inserted as Webhook
}

/** Finds a webhook of the brains or of the workspace. Null brains mean all. `lock` keeps others from changing it. */
export async function findWebhook(
  tx: Tx,
  id: string,
  { brain_ids, lock = false }: { brain_ids: string[] | null; lock?: boolean },
): Promise<Webhook | undefined> {
  const [found] = await tx.query<Webhook[]>(
    `select ${COLUMNS} from webhooks
      where id = $1 and ($2::uuid[] is null or brain_id is null or brain_id = any($2)) ${lock ? 'for update' : ''}`,
    [id, brain_ids],
  )
  return found
}

/** Returns a page of the webhooks of the brains and of the workspace, latest first. */
export async function listWebhooks(
  tx: Tx,
  filter: { brain_ids: string[] | null; limit: number; offset: number },
): Promise<Page<Webhook>> {
  const conditions = createFilter()
  conditions.where(VISIBLE, filter.brain_ids ?? undefined)
  const { limit, offset } = filter
  return readPage<Webhook>(
    tx,
    { columns: COLUMNS, from: 'webhooks', order: 'created_at desc, id desc', limit, offset },
    conditions,
  )
}

/** Changes a webhook. `is_active` disables it on request, or enables it without the failures of before. */
export async function updateWebhook(tx: Tx, id: string, patch: WebhookPatch): Promise<Webhook> {
  const { url, description, event_types, is_active } = patch
  const [[updated]] = await tx.query<[Webhook[], number]>(
    `update webhooks
        set url = coalesce($2, url),
            description = case when $3 then $4 else description end,
            event_types = coalesce($5, event_types),
            failing_since = case when $6 then null else failing_since end,
            disabled_at = case $6 when true then null when false then coalesce(disabled_at, now()) else disabled_at end,
            disabled_reason = case $6 when true then null when false then coalesce(disabled_reason, 'requested')
                                      else disabled_reason end,
            updated_at = now()
      where id = $1 returning ${COLUMNS}`,
    [id, url ?? null, description !== undefined, description ?? null, event_types ?? null, is_active ?? null],
  )
  return updated as Webhook
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from webhooks where id = $1', [id])
}

/** Sets a new secret. The present one stays valid until the time. */
export async function rotateSecret(
  tx: Tx,
  id: string,
  { secret, previousUntil }: { secret: Buffer; previousUntil: string },
): Promise<Webhook> {
  const [[rotated]] = await tx.query<[Webhook[], number]>(
    `update webhooks set secret = $2, previous_secret = secret, previous_secret_until = $3, updated_at = now()
      where id = $1 returning ${COLUMNS}`,
    [id, secret, previousUntil],
  )
  return rotated as Webhook
}

/** Notes a success: the webhook is not failing. */
export async function noteSuccess(tx: Tx, id: string): Promise<void> {
  await tx.query('update webhooks set failing_since = null where id = $1 and failing_since is not null', [id])
}

/**
 * Notes a failure, and disables the webhook when the endpoint is gone, or has failed for this number of days. Returns the
 * reason when it was disabled now.
 */
export async function noteFailure(
  tx: Tx,
  id: string,
  { isGone, disableAfterDays }: { isGone: boolean; disableAfterDays: number },
): Promise<DisabledReason | undefined> {
  const [[noted]] = await tx.query<[{ disabled_reason: DisabledReason | null }[], number]>(
    `update webhooks
        set failing_since = coalesce(failing_since, now()),
            disabled_at = case when $2 or failing_since < now() - make_interval(secs => $3 * 86400) then now() end,
            disabled_reason = case when $2 then 'gone'
                                   when failing_since < now() - make_interval(secs => $3 * 86400) then 'failing' end
      where id = $1 and disabled_at is null returning disabled_reason`,
    [id, isGone, disableAfterDays],
  )
  return noted?.disabled_reason ?? undefined
}
