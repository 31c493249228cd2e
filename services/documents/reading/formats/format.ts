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

/** Text, title and metadata of a document before they are cleaned and cut. */
export interface FormatOutput {
  text: string
  title?: string | null
  pages?: number
  page_offsets?: number[]
  metadata?: Record<string, string | undefined>
}

/** Throws DocumentError; any other error means a damaged document. */
export type Format = (reading: FormatInput) => FormatOutput | Promise<FormatOutput>

export type TextFormat = (reading: TextInput) => FormatOutput

/** Decodes the bytes of a textual document. Throws DOCUMENT_BROKEN. */
export function decodeSource({ bytes, source }: TextInput): string {
  try {
    return decodeText(bytes, source.charset)
  } catch (error) {
    throw brokenDocumentError(`The text is not valid ${(source.charset ?? 'utf-8').toUpperCase()}`, error)
  }
}
