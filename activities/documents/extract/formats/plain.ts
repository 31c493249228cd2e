import { type Format, decodeSource } from './format.ts'

/** Plain text, as it is. */
export const plain: Format = reading => ({ text: decodeSource(reading) })
