import { type Format, decodeSource } from './format.ts'

/** Returns plain text unchanged. */
export const plain: Format = reading => ({ text: decodeSource(reading) })
