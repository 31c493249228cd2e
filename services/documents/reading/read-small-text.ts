import type { TextType } from '../known-types.ts'
import type { ExtractedDocument } from './extracted.ts'
import { finishExtraction } from './finish-extraction.ts'
import { TEXT_FORMATS } from './formats/index.ts'
import { DEFAULT_LIMITS } from './limits.ts'

/** A longer result would block the receiver's event loop. */
const MAX_CHARS = 4_000_000

/** Extracts a short text. Returns null on failure. A separate process then reads the text and reports the reason. */
export function readSmallText(bytes: Uint8Array, media_type: TextType, charset?: string): ExtractedDocument | null {
  const limits = { ...DEFAULT_LIMITS, textChars: MAX_CHARS }
  try {
    const draft = TEXT_FORMATS[media_type]({ bytes, source: { media_type, charset }, limits })
    return finishExtraction(draft, MAX_CHARS)
  } catch {
    return null
  }
}
