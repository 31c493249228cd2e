import { decodeText } from '../../../../services/documents/charset.ts'
import { broken } from '../document-error.ts'
import type { DocumentSource } from '../extracted.ts'
import type { ExtractLimits } from '../limits.ts'

/** A document on its way through a format. */
export interface FormatInput {
  bytes: Uint8Array
  source: DocumentSource
  limits: ExtractLimits
  onProgress: (done: number, total: number) => void
}

/** What a format makes of a document; text, title and metadata are cleaned and cut after it. */
export interface FormatOutput {
  text: string
  title?: string | null
  pages?: number
  page_offsets?: number[]
  metadata?: Record<string, string | undefined>
}

/** Throws DocumentError; anything else it throws means a damaged document. */
export type Format = (reading: FormatInput) => FormatOutput | Promise<FormatOutput>

/** The characters of a textual document. */
export function decodeSource({ bytes, source }: FormatInput): string {
  try {
    return decodeText(bytes, source.charset)
  } catch (error) {
    throw broken(`The text is not valid ${(source.charset ?? 'utf-8').toUpperCase()}`, error)
  }
}
