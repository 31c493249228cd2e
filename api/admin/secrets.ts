import type { Command } from 'commander'
import { createSecretEncryption } from '../../services/tools/secrets/encryption.ts'
import { reencryptSecrets } from '../../services/tools/secrets/reencrypt.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command about secrets. */
export function addSecrets(program: Command): void {
  const secret = program.command('secret').description('Secrets of workspaces')
  secret
    .command('reencrypt')
    .description('Encrypt all secrets with SECRETS_ENCRYPTION_KEY_ID, so that former keys can be removed; idempotent')
    .option('--json', 'print one JSON line')
    .action(({ json }: Output) =>
      withStores(1, async ({ db }, config) => {
        const encryption = createSecretEncryption(config)
        if (!encryption) throw new Error('SECRETS_ENCRYPTION_KEYS is not set')
        const secrets = await reencryptSecrets(db, encryption)
        say(json, { secrets }, `${secrets} secrets are encrypted with the key ${encryption.keyId} now.`)
      }),
    )
}
