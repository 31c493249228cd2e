import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common'
import proto from '@temporalio/proto'
import type { Config } from '../../../config/config.ts'
import { decryptBytes, encryptBytes } from './aes-gcm.ts'

const { Payload: Wire } = proto.temporal.api.common.v1

/** The metadata key that Temporal's samples use for encrypted payloads. */
const ENCODING = 'encoding'
const KEY_ID = 'encryption-key-id'
const ENCRYPTED = 'binary/encrypted'

type Settings = Pick<Config, 'TEMPORAL_ENCRYPTION_KEYS' | 'TEMPORAL_ENCRYPTION_KEY_ID'>

/**
 * Creates the codec that encrypts payloads before they reach Temporal (AES-256-GCM). It encrypts with the active key
 * and decrypts with all configured keys. Unencrypted payloads pass through unchanged. Returns undefined if no keys
 * are configured.
 */
export function createPayloadCodec({
  TEMPORAL_ENCRYPTION_KEYS: keys,
  TEMPORAL_ENCRYPTION_KEY_ID: active,
}: Settings): PayloadCodec | undefined {
  const activeKey = active === undefined ? undefined : keys?.[active]
  if (!keys || active === undefined || !activeKey) return undefined

  function encrypt(payload: Payload): Payload {
    return {
      metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(active as string) },
      data: encryptBytes(activeKey as Buffer, Wire.encode(payload).finish(), active as string),
    }
  }

  function decrypt(payload: Payload): Payload {
    if (readText(payload, ENCODING) !== ENCRYPTED) return payload
    const id = readText(payload, KEY_ID)
    const key = keys?.[id]
    if (!key) throw new ValueError(`a payload is encrypted with the key "${id}", which is not configured`)
    return Wire.decode(decryptBytes(key, Buffer.from(payload.data ?? []), id))
  }

  return {
    encode: async payloads => payloads.map(encrypt),
    decode: async payloads => payloads.map(decrypt),
  }
}

const readText = ({ metadata }: Payload, name: string): string => Buffer.from(metadata?.[name] ?? []).toString()
