import { hkdfSync } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aes-gcm.ts'

/** Encrypts small secrets for storage, with AES-256-GCM. */
export interface Encryption {
  /** @param owner the row's id, so that the text cannot be decrypted in another row */
  encrypt(text: string, owner: string): Buffer
  /** Throws if the bytes were encrypted with a different key, have a different owner or were modified. */
  decrypt(bytes: Buffer, owner: string): string
}

/** The first stored byte, reserved for future formats. */
const VERSION = 1

/**
 * @param secret the server secret
 * @param purpose separates keys that are derived from the same secret
 */
export function createEncryption(secret: string, purpose: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ganglion ${purpose}`, 32))
  return {
    encrypt: (text, owner) => Buffer.concat([Buffer.of(VERSION), encryptBytes(key, Buffer.from(text), owner)]),
    decrypt(bytes, owner) {
      if (bytes[0] !== VERSION) throw new Error('The stored secret has an unknown format')
      return decryptBytes(key, bytes.subarray(1), owner).toString('utf8')
    },
  }
}
