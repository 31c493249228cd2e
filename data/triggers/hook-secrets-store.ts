import type { Tx } from '../shared/database.ts'

/** The secrets of a hook, encrypted. */
export interface HookSecrets {
  secret: Buffer
  /** The secret before the rotation, while it is valid. */
  previous_secret: Buffer | null
  /** ISO 8601. */
  previous_secret_until: string | null
  updated_at: string
  /** Who has set the secrets that are valid. */
  set_by: string[]
}

export async function findHookSecrets(tx: Tx, triggerId: string): Promise<HookSecrets | undefined> {
  const [found] = await tx.query<HookSecrets[]>(
    `select secret, updated_at,
            array_remove(array[set_by, case when previous_secret_until > now() then previous_set_by end], null) as set_by,
            case when previous_secret_until > now() then previous_secret end as previous_secret,
            case when previous_secret_until > now() then previous_secret_until end as previous_secret_until
       from hook_secrets where trigger_id = $1`,
    [triggerId],
  )
  return found
}

/** Sets a new secret. The present one stays valid until the time. */
export async function saveHookSecret(
  tx: Tx,
  triggerId: string,
  { secret, previousUntil, by }: { secret: Buffer; previousUntil: string; by: string },
): Promise<void> {
  await tx.query(
    `insert into hook_secrets as hook (trigger_id, secret, set_by) values ($1, $2, $4)
     on conflict (trigger_id) do update
       set secret = excluded.secret, previous_secret = hook.secret, previous_secret_until = $3, set_by = excluded.set_by,
           previous_set_by = hook.set_by, updated_at = now()`,
    [triggerId, secret, previousUntil, by],
  )
}
