import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { writeCanonical } from '../../../domain/shared/json/canonical-json.ts'
import type { Config } from '../../../config/config.ts'
import type { Signature } from '../../../domain/people/evidence/statement.ts'
import type { EvidenceKey } from '../../../contract/people/evidence.ts'

/** Signs documents with the current key. */
export interface Signer {
  /** The signing key. Undefined if no key is configured. */
  keyId?: string
  /** Returns null if no key is configured, which leaves the document unsigned. */
  sign(document: object): Signature | null
  listKeys(): EvidenceKey[]
}

/** PKCS #8 prefix for an Ed25519 key, without the key's 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Each key is a 32-byte random Ed25519 seed. */
export function createSigner({
  EVIDENCE_KEYS: seeds = {},
  EVIDENCE_KEY_ID: current,
}: Pick<Config, 'EVIDENCE_KEYS' | 'EVIDENCE_KEY_ID'>): Signer {
  const keys = new Map(Object.entries(seeds).map(([id, seed]) => [id, toPrivateKey(seed)]))
  const active = current === undefined ? undefined : keys.get(current)
  return {
    keyId: active && current,
    sign(document) {
      if (current === undefined || !active) return null
      const value = sign(null, Buffer.from(writeCanonical(document)), active).toString('base64')
      return { algorithm: 'Ed25519', key_id: current, value }
    },
    listKeys: () =>
      [...keys].map(([key_id, key]) => ({
        key_id,
        algorithm: 'Ed25519' as const,
        public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
        is_current: key_id === current,
      })),
  }
}

const toPrivateKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
