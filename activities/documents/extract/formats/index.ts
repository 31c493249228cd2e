import { DOCX, type ReadType } from '../../../../services/documents/known-types.ts'
import type { Format } from './format.ts'

/** The format of each media type. Its parser is loaded when it is needed. */
const FORMATS: Record<ReadType, () => Promise<Format>> = {
  'text/plain': async () => (await import('./plain.ts')).plain,
  'text/markdown': async () => (await import('./markdown.ts')).markdown,
  'text/html': async () => (await import('./html.ts')).html,
  'text/csv': async () => (await import('./csv.ts')).csv,
  'application/json': async () => (await import('./json.ts')).json,
  'application/pdf': async () => (await import('./pdf.ts')).pdf,
  [DOCX]: async () => (await import('./docx.ts')).docx,
}

export const loadFormat = (media_type: ReadType): Promise<Format> => FORMATS[media_type]()
