import { type TextFormat, decodeSource } from './format.ts'

/** Returns plain text unchanged. */
export const plain: TextFormat = reading => ({ text: decodeSource(reading) })
