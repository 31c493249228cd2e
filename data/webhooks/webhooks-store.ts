import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insertReturning, requireRow, selectOne } from '../shared/statements.ts'
import { bigint, computed, list, omit, pick, type Row } from '../shared/table.ts'
import { webhooksTable } from './tables.ts'

export type DisabledReason = 'requested' | 'gone' | 'failing'

const WEBHOOK = {
  ...omit(webhooksTable, 'workspace_id', 'secret', 'previous_secret', 'previous_secret_until'),
  previous_secret_until: computed(
    webhooksTable.columns.previous_secret_until,
    'case when previous_secret_until > now() then previous_secret_until end',
  ),
}
export type Webhook = Row<typeof WEBHOOK>

export type NewWebhook = Pick<
  Row<typeof webhooksTable.columns>,
  'id' | 'brain_id' | 'url' | 'description' | 'event_types' | 'created_by' | 'secret'
>

export type WebhookPatch = Partial<Pick<Webhook, 'url' | 'description' | 'event_types'>> & { is_active?: boolean }

const VISIBLE = '(brain_id is null or brain_id = any(?))'

export async function countWebhooks(tx: Tx): Promise<number> {
  return requireRow(await selectOne(tx, { count: bigint() }, 'select count(*) from webhooks')).count
}

export async function insertWebhook(tx: Tx, webhook: NewWebhook): Promise<Webhook> {
  return requireRow(await insertReturning(tx, webhooksTable, webhook, WEBHOOK))
}

/**
 * Finds a webhook in these brains or in the workspace itself. Null brains mean all. With `lock`, prevents concurrent
 * changes.
 */
export async function findWebhook(
  tx: Tx,
  id: string,
  { brain_ids, lock = false }: { brain_ids: string[] | null; lock?: boolean },
): Promise<Webhook | undefined> {
  return selectOne(
    tx,
    WEBHOOK,
    `select ${list(WEBHOOK)} from webhooks
      where id = $1 and ($2::uuid[] is null or brain_id is null or brain_id = any($2)) ${lock ? 'for update' : ''}`,
    [id, brain_ids],
  )
}

/** Returns a page of webhooks in these brains and in the workspace itself, latest first. */
export async function listWebhooks(
  tx: Tx,
  filter: { brain_ids: string[] | null; limit: number; offset: number },
): Promise<Page<Webhook>> {
  const conditions = createFilter()
  conditions.where(VISIBLE, filter.brain_ids ?? undefined)
  const { limit, offset } = filter
  return readPage(
    tx,
    { columns: WEBHOOK, from: 'webhooks', order: 'created_at desc, id desc', limit, offset },
    conditions,
  )
}

/**
 * Updates a webhook. With `is_active`, disables it with the reason `requested`, or enables it and clears its
 * failures.
 */
export async function updateWebhook(tx: Tx, id: string, patch: WebhookPatch): Promise<Webhook> {
  const { url, description, event_types, is_active } = patch
  const updated = await selectOne(
    tx,
    WEBHOOK,
    `update webhooks
        set url = coalesce($2, url),
            description = case when $3 then $4 else description end,
            event_types = coalesce($5, event_types),
            failing_since = case when $6 then null else failing_since end,
            disabled_at = case $6 when true then null when false then coalesce(disabled_at, now()) else disabled_at end,
            disabled_reason = case $6 when true then null when false then coalesce(disabled_reason, 'requested')
                                      else disabled_reason end,
            updated_at = now()
      where id = $1 returning ${list(WEBHOOK)}`,
    [id, url ?? null, description !== undefined, description ?? null, event_types ?? null, is_active ?? null],
  )
  return requireRow(updated)
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'delete from webhooks where id = $1', [id])
}

/** Sets a new secret. The current secret stays valid until the given time. */
export async function rotateSecret(
  tx: Tx,
  id: string,
  { secret, previousUntil }: { secret: Buffer; previousUntil: string },
): Promise<Webhook> {
  const rotated = await selectOne(
    tx,
    WEBHOOK,
    `update webhooks set secret = $2, previous_secret = secret, previous_secret_until = $3, updated_at = now()
      where id = $1 returning ${list(WEBHOOK)}`,
    [id, secret, previousUntil],
  )
  return requireRow(rotated)
}

/** Records a successful delivery, which ends a period of failures. */
export async function noteSuccess(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'update webhooks set failing_since = null where id = $1 and failing_since is not null', [id])
}

/**
 * Records a failed delivery. Disables the webhook when the endpoint is gone or has failed for the given number of
 * days. Returns the reason if this call disabled the webhook.
 */
export async function noteFailure(
  tx: Tx,
  id: string,
  { isGone, disableAfterDays }: { isGone: boolean; disableAfterDays: number },
): Promise<DisabledReason | undefined> {
  const noted = await selectOne(
    tx,
    pick(webhooksTable, 'disabled_reason'),
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
