import { type SentFailure, tooMuchText, toSentFailure } from './document-error.ts'
import type { Extracted } from './extracted.ts'
import type { FormatInput } from './formats/format.ts'
import { readDocument } from './process/read-document.ts'
import { lowerPriority } from '../../../services/low-priority.ts'

lowerPriority()

/** A longer result would occupy the receiving thread, too. */
const MAX_CHARS = 4_000_000

export type SmallText = Omit<FormatInput, 'onProgress'>

/** Errors lose their class between threads. */
export type ThreadAnswer = { extracted: Extracted } | { failure: SentFailure }

export default async function readInThread(text: SmallText): Promise<ThreadAnswer> {
  try {
    const extracted = await readDocument({ ...text, onProgress: () => undefined })
    return extracted.text.length > MAX_CHARS ? { failure: toSentFailure(tooMuchText(MAX_CHARS)) } : { extracted }
  } catch (error) {
    return { failure: toSentFailure(error) }
  }
}
