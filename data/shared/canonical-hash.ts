import { createHash } from 'node:crypto'
import { writeCanonical } from '../../domain/shared/json/canonical-json.ts'

/** Returns the SHA-256 (hex) of a value's canonical JSON (RFC 8785). Omits undefined fields. */
export const hashCanonical = (value: unknown): string =>
  createHash('sha256').update(writeCanonical(value)).digest('hex')
