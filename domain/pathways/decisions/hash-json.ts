import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { writeCanonical } from '../../shared/json/canonical-json.ts'

/** Returns the SHA-256 (hex) of a value's canonical JSON. Runs in workflows, without Node's crypto module. */
export const hashJson = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(writeCanonical(value))))
