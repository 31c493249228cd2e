import { DOCX, EML, type ReadType, XLSX } from '../../../../services/documents/known-types.ts'
import type { Format } from '../../../../services/documents/reading/formats/format.ts'
import { TEXT_FORMATS } from '../../../../services/documents/reading/formats/index.ts'

/** The format for each media type. Larger parsers are loaded on demand. */
const FORMATS: Record<ReadType, () => Promise<Format>> = {
  'text/plain': async () => TEXT_FORMATS['text/plain'],
  'text/markdown': async () => TEXT_FORMATS['text/markdown'],
  'text/csv': async () => TEXT_FORMATS['text/csv'],
  'application/json': async () => TEXT_FORMATS['application/json'],
  'text/html': async () => (await import('./html.ts')).html,
  'application/pdf': async () => (await import('./pdf.ts')).pdf,
  [DOCX]: async () => (await import('./docx.ts')).docx,
  [XLSX]: async () => (await import('./xlsx.ts')).xlsx,
  [EML]: async () => (await import('./eml.ts')).eml,
}

export const loadFormat = (media_type: ReadType): Promise<Format> => FORMATS[media_type]()
