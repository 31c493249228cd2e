import { z } from 'zod'
import type { ReadType } from '../known-types.ts'

export interface DocumentSource {
  media_type: ReadType
  /** The charset of the text. A byte order mark takes precedence. */
  charset?: string
  file_name?: string
}

export const extractedSchema = z.object({
  /** Markdown or plain text in well-formed NFC. Lines end with \n, and \n and \t are the only control characters. */
  text: z.string(),
  title: z.string().nullable(),
  pages: z.number().int().optional(),
  /** The offset of each page in `text`. */
  page_offsets: z.array(z.number().int()).optional(),
  /** Fields such as author, created, modified and language. `note` tells the reader about limitations of the text. */
  metadata: z.record(z.string(), z.string()),
})

export type ExtractedDocument = z.infer<typeof extractedSchema>

export interface ExtractOptions {
  /** The workspace that owns the document. Reader processes are shared between workspaces. */
  workspace_id: string
  /** Aborts the work immediately. The signal's reason is thrown. */
  signal?: AbortSignal
  /** Called with the number of completed pages and the total. */
  onProgress?: (done: number, total: number) => void
}
