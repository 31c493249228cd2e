import type { Extracted } from '../extracted.ts'
import { tooMuchText } from '../document-error.ts'
import type { FormatOutput, FormatInput } from '../formats/format.ts'
import { loadFormat } from '../formats/index.ts'
import { cleanLine, cleanText } from '../text.ts'

const MAX_TITLE_CHARS = 300
const MAX_VALUE_CHARS = 1_000

/** Extracts the text of a document in this process, which a hostile document may end. */
export async function readDocument(reading: FormatInput): Promise<Extracted> {
  const format = await loadFormat(reading.source.media_type)
  const draft = await format(reading)
  const text = cleanText(draft.text)
  if (text.length > reading.limits.textChars) throw tooMuchText(reading.limits.textChars)
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
