import { decodeText } from '../../charset.ts'
import { brokenDocumentError } from '../document-error.ts'
import type { DocumentSource } from '../extracted.ts'
import type { ExtractLimits } from '../limits.ts'

export interface TextInput {
  bytes: Uint8Array
  source: Pick<DocumentSource, 'media_type' | 'charset'>
  limits: ExtractLimits
}

export interface FormatInput extends TextInput {
  source: DocumentSource
  onProgress: (done: number, total: number) => void
}

/** A document's text, title and metadata before cleaning and truncation. */
export interface FormatOutput {
  text: string
  title?: string | null
  pages?: number
  page_offsets?: number[]
  metadata?: Record<string, string | undefined>
}

/** Throws DocumentError. Any other error means that the document is damaged. */
export type Format = (reading: FormatInput) => FormatOutput | Promise<FormatOutput>

export type TextFormat = (reading: TextInput) => FormatOutput

/** Decodes a text document's bytes. Throws DOCUMENT_BROKEN. */
export function decodeSource({ bytes, source }: TextInput): string {
  try {
    return decodeText(bytes, source.charset)
  } catch (error) {
    throw brokenDocumentError(`The text is not valid ${(source.charset ?? 'utf-8').toUpperCase()}`, error)
  }
}
