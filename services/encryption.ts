import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts small secrets that are stored, by AES-256-GCM. */
export interface Encryption {
  /** @param owner the id of the row: the text cannot be decrypted in another one */
  encrypt(text: string, owner: string): Buffer
  /** Throws when the bytes are of another key or another owner, or were changed. */
  decrypt(bytes: Buffer, owner: string): string
}

/** The first byte of what is stored, for later forms. */
const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/**
 * @param secret the secret of the server
 * @param purpose separates the keys that are derived from one secret
 */
export function createEncryption(secret: string, purpose: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ganglion ${purpose}`, 32))
  return {
    encrypt(text, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(owner))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), encrypted])
    },
    decrypt(bytes, owner) {
      if (bytes[0] !== VERSION) throw new Error('The stored secret has an unknown form')
      const [iv, tag] = [bytes.subarray(1, 1 + IV_BYTES), bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)]
      const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag)
      const encrypted = bytes.subarray(1 + IV_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
    },
  }
}
