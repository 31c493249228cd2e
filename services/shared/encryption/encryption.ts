import { hkdfSync } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aes-gcm.ts'

/** Encrypts small secrets that are stored, by AES-256-GCM. */
export interface Encryption {
  /** @param owner the id of the row: the text cannot be decrypted in another one */
  encrypt(text: string, owner: string): Buffer
  /** Throws when the bytes are of another key or another owner, or were changed. */
  decrypt(bytes: Buffer, owner: string): string
}

/** The first byte of what is stored, for later forms. */
const VERSION = 1

/**
 * @param secret the secret of the server
 * @param purpose separates the keys that are derived from one secret
 */
export function createEncryption(secret: string, purpose: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ganglion ${purpose}`, 32))
  return {
    encrypt: (text, owner) => Buffer.concat([Buffer.of(VERSION), encryptBytes(key, Buffer.from(text), owner)]),
    decrypt(bytes, owner) {
      if (bytes[0] !== VERSION) throw new Error('The stored secret has an unknown form')
      return decryptBytes(key, bytes.subarray(1), owner).toString('utf8')
    },
  }
}
