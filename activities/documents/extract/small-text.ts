import type { ReadType } from '../../../services/documents/known-types.ts'

/** Formats that our own code and JavaScript alone read, in linear time. */
const TYPES: ReadonlySet<ReadType> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json'])
const MAX_BYTES = 1_048_576

/** Returns true when a document is read without a process of its own. */
export const isSmallText = (media_type: ReadType, bytes: number): boolean => TYPES.has(media_type) && bytes <= MAX_BYTES
