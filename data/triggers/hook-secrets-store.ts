import type { Tx } from '../shared/database.ts'
import { execute, selectOne } from '../shared/statements.ts'
import { computed, list, pick, texts, type Row } from '../shared/table.ts'
import { hookSecretsTable } from './tables.ts'

const { previous_secret, previous_secret_until } = hookSecretsTable.columns
const SECRETS = {
  ...pick(hookSecretsTable, 'secret', 'updated_at'),
  /** The people who set the secrets that are currently valid. */
  set_by: computed(
    texts(),
    'array_remove(array[set_by, case when previous_secret_until > now() then previous_set_by end], null)',
  ),
  /** The secret before the rotation, while it is valid. */
  previous_secret: computed(previous_secret, 'case when previous_secret_until > now() then previous_secret end'),
  previous_secret_until: computed(
    previous_secret_until,
    'case when previous_secret_until > now() then previous_secret_until end',
  ),
}
/** The encrypted secrets of a hook. */
export type HookSecrets = Row<typeof SECRETS>

export async function findHookSecrets(tx: Tx, triggerId: string): Promise<HookSecrets | undefined> {
  return selectOne(tx, SECRETS, `select ${list(SECRETS)} from hook_secrets where trigger_id = $1`, [triggerId])
}

/** Sets a new secret. The current secret stays valid until the given time. */
export async function saveHookSecret(
  tx: Tx,
  triggerId: string,
  { secret, previousUntil, by }: { secret: Buffer; previousUntil: string; by: string },
): Promise<void> {
  await execute(
    tx,
    `insert into hook_secrets as hook (trigger_id, secret, set_by) values ($1, $2, $4)
     on conflict (trigger_id) do update
       set secret = excluded.secret, previous_secret = hook.secret, previous_secret_until = $3, set_by = excluded.set_by,
           previous_set_by = hook.set_by, updated_at = now()`,
    [triggerId, secret, previousUntil, by],
  )
}
