import type { Config } from '../../../config/config.ts'
import type { EncryptedSecret } from '../../../data/tools/secrets-store.ts'
import { decryptBytes, encryptBytes } from '../../shared/encryption/aes-gcm.ts'

/** A secret's scope. A value can be decrypted only in its workspace, under its name and with its hosts. */
export interface SecretContext {
  workspace_id: string
  name: string
  hosts: string[]
}

export interface SecretEncryption {
  /** The id of the encryption key. */
  keyId: string
  encrypt(value: string, context: SecretContext): Pick<EncryptedSecret, 'value' | 'key_id'>
  /** Throws for a key that is not configured, for a different context, and for modified bytes. */
  decrypt(encrypted: Pick<EncryptedSecret, 'value' | 'key_id'>, context: SecretContext): string
}

type Settings = Pick<Config, 'SECRETS_ENCRYPTION_KEYS' | 'SECRETS_ENCRYPTION_KEY_ID'>

/** Encrypts with the active key and decrypts with all configured keys. Returns undefined if no keys are configured. */
export function createSecretEncryption({
  SECRETS_ENCRYPTION_KEYS: keys,
  SECRETS_ENCRYPTION_KEY_ID: keyId,
}: Settings): SecretEncryption | undefined {
  const activeKey = keyId === undefined ? undefined : keys?.[keyId]
  if (keyId === undefined || !activeKey) return undefined
  return {
    keyId,
    encrypt: (value, context) => ({
      key_id: keyId,
      value: encryptBytes(activeKey, Buffer.from(value), writeContext(keyId, context)),
    }),
    decrypt({ key_id, value }, context) {
      const key = keys?.[key_id]
      if (!key) throw new Error(`The key "${key_id}" is not in SECRETS_ENCRYPTION_KEYS`)
      return decryptBytes(key, value, writeContext(key_id, context)).toString('utf8')
    },
  }
}

const writeContext = (keyId: string, { workspace_id, name, hosts }: SecretContext): string =>
  JSON.stringify([keyId, workspace_id, name, hosts])
