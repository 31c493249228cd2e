import { z } from 'zod'
import type { ReadType } from '../../../services/documents/known-types.ts'

export interface DocumentSource {
  media_type: ReadType
  /** Of text; a byte order mark overrules it. */
  charset?: string
  file_name?: string
}

export const extractedSchema = z.object({
  /** Markdown or plain text: NFC, lines end with \n, no control characters but \n and \t, well-formed. */
  text: z.string(),
  title: z.string().nullable(),
  pages: z.number().int().optional(),
  /** Where in `text` each page begins. */
  page_offsets: z.array(z.number().int()).optional(),
  /** author, created, modified, language …; `note` says what a reader should know of the text. */
  metadata: z.record(z.string(), z.string()),
})

export type Extracted = z.infer<typeof extractedSchema>

export interface ExtractOptions {
  /** Ends the work at once; the signal's reason is thrown. */
  signal?: AbortSignal
  /** Pages done, of all. */
  onProgress?: (done: number, total: number) => void
}
