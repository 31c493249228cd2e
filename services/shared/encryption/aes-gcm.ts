import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM and a random IV. Returns the IV, tag and ciphertext.
 * @param key 32 bytes
 * @param context authenticated, but not part of the result
 */
export function encryptBytes(key: Buffer, bytes: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

/** Decrypts the output of `encryptBytes`. Throws for a different key or context, and for modified bytes. */
export function decryptBytes(key: Buffer, encrypted: Buffer, context: string): Buffer {
  if (encrypted.length < IV_BYTES + TAG_BYTES) throw new Error('unable to authenticate data that is too short')
  const iv = encrypted.subarray(0, IV_BYTES)
  const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}
