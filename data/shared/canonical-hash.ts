import { createHash } from 'node:crypto'
import { writeCanonical } from '../../domain/shared/json/canonical-json.ts'

/** Returns the SHA-256 (hex) of the canonical JSON (RFC 8785) of a value. Fields that are undefined are left out. */
export const hashCanonical = (value: unknown): string =>
  createHash('sha256').update(writeCanonical(value)).digest('hex')
