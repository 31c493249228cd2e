import type { Extracted } from '../extracted.ts'
import { tooMuchText } from '../document-error.ts'
import type { Draft, Reading } from '../formats/format.ts'
import { formatOf } from '../formats/index.ts'
import { cleanLine, cleanText } from '../text.ts'

const TITLE_CHARS = 300
const VALUE_CHARS = 1_000

/** The text of a document, read right here: only for a process that may be lost. */
export async function readDocument(reading: Reading): Promise<Extracted> {
  const format = await formatOf(reading.source.media_type)
  const draft = await format(reading)
  const text = cleanText(draft.text)
  if (text.length > reading.limits.textChars) throw tooMuchText(reading.limits.textChars)
  const { pages, page_offsets, title } = draft
  return { text, title: title ? cleanLine(title, TITLE_CHARS) : null, pages, page_offsets, metadata: metadataOf(draft) }
}

function metadataOf({ metadata = {} }: Draft): Record<string, string> {
  const clean = Object.entries(metadata).map(([name, value]) => [name, value && cleanLine(value, VALUE_CHARS)])
  return Object.fromEntries(clean.filter(([, value]) => value))
}
