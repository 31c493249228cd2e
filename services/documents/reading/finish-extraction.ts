import { textTooLongError } from './document-error.ts'
import type { ExtractedDocument } from './extracted.ts'
import type { FormatOutput } from './formats/format.ts'
import { cleanLine, cleanText } from './text.ts'

const MAX_TITLE_CHARS = 300
const MAX_VALUE_CHARS = 1_000

/** Cleans and truncates a format's output. Throws DOCUMENT_TOO_LARGE. */
export function finishExtraction(draft: FormatOutput, maxChars: number): ExtractedDocument {
  const text = cleanText(draft.text)
  if (text.length > maxChars) throw textTooLongError(maxChars)
  const { pages, page_offsets, title } = draft
  return {
    text,
    title: title ? cleanLine(title, MAX_TITLE_CHARS) : null,
    pages,
    page_offsets,
    metadata: cleanMetadata(draft),
  }
}

function cleanMetadata({ metadata = {} }: FormatOutput): Record<string, string> {
  const clean = Object.entries(metadata).map(([name, value]) => [name, value && cleanLine(value, MAX_VALUE_CHARS)])
  return Object.fromEntries(clean.filter(([, value]) => value))
}
