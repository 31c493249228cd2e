import type { ExtractedDocument } from '../../../../services/documents/reading/extracted.ts'
import { finishExtraction } from '../../../../services/documents/reading/finish-extraction.ts'
import type { FormatInput } from '../../../../services/documents/reading/formats/format.ts'
import { loadFormat } from '../formats/index.ts'

/** Extracts a document's text in this process, which a malicious document may crash. */
export async function readDocument(reading: FormatInput): Promise<ExtractedDocument> {
  const format = await loadFormat(reading.source.media_type)
  return finishExtraction(await format(reading), reading.limits.textChars)
}
