import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { writeCanonical } from '../../../domain/shared/json/canonical-json.ts'
import type { Config } from '../../../config/config.ts'
import type { Signature } from '../../../domain/people/evidence/statement.ts'
import type { EvidenceKey } from '../../../contract/people/evidence.ts'

/** Signs documents with the current one of the configured keys. */
export interface Signer {
  /** The key that signs. Undefined without one. */
  keyId?: string
  /** Returns null without a key: the document is not signed. */
  sign(document: object): Signature | null
  listKeys(): EvidenceKey[]
}

/** PKCS #8 of an Ed25519 key without its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Keys are 32 random bytes each: the seeds of Ed25519. */
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
