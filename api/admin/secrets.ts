import type { Command } from 'commander'
import { createSecretEncryption } from '../../services/tools/secrets/encryption.ts'
import { reencryptSecrets } from '../../services/tools/secrets/reencrypt.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the secrets command. */
export function addSecrets(program: Command): void {
  const secret = program.command('secret').description('Workspace secrets')
  secret
    .command('reencrypt')
    .description('Re-encrypt all secrets with SECRETS_ENCRYPTION_KEY_ID, so that you can remove old keys; idempotent')
    .option('--json', 'print one JSON line')
    .action(({ json }: Output) =>
      withStores(1, async ({ db }, config) => {
        const encryption = createSecretEncryption(config)
        if (!encryption) throw new Error('Set SECRETS_ENCRYPTION_KEYS to re-encrypt secrets')
        const secrets = await reencryptSecrets(db, encryption)
        say(json, { secrets }, `${secrets} secrets are now encrypted with key ${encryption.keyId}.`)
      }),
    )
}
