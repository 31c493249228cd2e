import { z } from 'zod'
import type { ReadType } from '../known-types.ts'

export interface DocumentSource {
  media_type: ReadType
  /** The charset of text. A byte order mark has precedence. */
  charset?: string
  file_name?: string
}

export const extractedSchema = z.object({
  /** Markdown or plain text: NFC, lines end with \n, no control characters but \n and \t, well-formed. */
  text: z.string(),
  title: z.string().nullable(),
  pages: z.number().int().optional(),
  /** The offset of each page in `text`. */
  page_offsets: z.array(z.number().int()).optional(),
  /** author, created, modified, language …; `note` describes limitations of the text for a reader. */
  metadata: z.record(z.string(), z.string()),
})

export type ExtractedDocument = z.infer<typeof extractedSchema>

export interface ExtractOptions {
  /** Whose document it is: workspaces share the processes. */
  workspace_id: string
  /** Aborts the work at once. The signal's reason is thrown. */
  signal?: AbortSignal
  /** Receives the number of completed pages and of all pages. */
  onProgress?: (done: number, total: number) => void
}
