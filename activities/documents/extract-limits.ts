import type { Config } from '../../config/config.ts'
import { DEFAULT_LIMITS, type ExtractLimits } from '../../services/documents/reading/limits.ts'

type DocumentSettings = Pick<
  Config,
  | 'DOCUMENT_MAX_BYTES'
  | 'DOCUMENT_MAX_CHARACTERS'
  | 'DOCUMENT_MAX_PAGES'
  | 'DOCUMENT_READERS'
  | 'DOCUMENT_READER_BYTES'
  | 'DOCUMENT_READER_SECONDS'
>

export const readExtractLimits = (config: DocumentSettings): ExtractLimits => ({
  ...DEFAULT_LIMITS,
  inputBytes: config.DOCUMENT_MAX_BYTES,
  textChars: config.DOCUMENT_MAX_CHARACTERS,
  pages: config.DOCUMENT_MAX_PAGES,
  memoryBytes: config.DOCUMENT_READER_BYTES,
  timeoutMs: config.DOCUMENT_READER_SECONDS * 1_000,
  concurrency: config.DOCUMENT_READERS,
})
