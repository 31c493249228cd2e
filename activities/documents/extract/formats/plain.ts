import { type Format, textOf } from './format.ts'

/** Plain text, as it is. */
export const plain: Format = reading => ({ text: textOf(reading) })
