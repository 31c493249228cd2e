import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common'
import proto from '@temporalio/proto'
import type { Config } from '../config/config.ts'

const { Payload: Wire } = proto.temporal.api.common.v1

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** The metadata that Temporal's samples use for encrypted payloads. */
const ENCODING = 'encoding'
const KEY_ID = 'encryption-key-id'
const ENCRYPTED = 'binary/encrypted'

type Settings = Pick<Config, 'TEMPORAL_ENCRYPTION_KEYS' | 'TEMPORAL_ENCRYPTION_KEY_ID'>

/**
 * Creates the codec that encrypts payloads before Temporal gets them (AES-256-GCM), with the active one of the configured
 * keys, and decrypts those of all configured keys. Payloads that are not encrypted pass. Undefined without keys.
 */
export function createPayloadCodec({
  TEMPORAL_ENCRYPTION_KEYS: keys,
  TEMPORAL_ENCRYPTION_KEY_ID: active,
}: Settings): PayloadCodec | undefined {
  const activeKey = active === undefined ? undefined : keys?.[active]
  if (!keys || active === undefined || !activeKey) return undefined

  function encrypt(payload: Payload): Payload {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, activeKey as Buffer, iv).setAAD(Buffer.from(active as string))
    const encrypted = Buffer.concat([cipher.update(Wire.encode(payload).finish()), cipher.final()])
    return {
      metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(active as string) },
      data: Buffer.concat([iv, cipher.getAuthTag(), encrypted]),
    }
  }

  function decrypt(payload: Payload): Payload {
    if (readText(payload, ENCODING) !== ENCRYPTED) return payload
    const id = readText(payload, KEY_ID)
    const key = keys?.[id]
    if (!key) throw new ValueError(`a payload is encrypted with the key "${id}", which is not configured`)
    const data = Buffer.from(payload.data ?? [])
    const [iv, tag] = [data.subarray(0, IV_BYTES), data.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
    const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(id)).setAuthTag(tag)
    return Wire.decode(Buffer.concat([decipher.update(data.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]))
  }

  return {
    encode: async payloads => payloads.map(encrypt),
    decode: async payloads => payloads.map(decrypt),
  }
}

const readText = ({ metadata }: Payload, name: string): string => Buffer.from(metadata?.[name] ?? []).toString()
