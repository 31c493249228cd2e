export interface ExtractLimits {
  /** Maximum size of the received file. */
  inputBytes: number
  /** Maximum length of the extracted text. */
  textChars: number
  /** Maximum number of PDF pages. */
  pages: number
  /** Maximum number of files inside a DOCX. */
  entries: number
  /** Maximum total unpacked size of a DOCX's readable parts. Images are never unpacked. */
  unpackedBytes: number
  /** Maximum nesting depth of JSON values. */
  nesting: number
  /** Maximum total memory of the process that reads a document. */
  memoryBytes: number
  /** Measured from the start of the reading process. Time in the queue does not count. */
  timeoutMs: number
  /** Maximum number of documents that are read concurrently. Additional documents are queued. */
  concurrency: number
}

const MB = 1_048_576

export const DEFAULT_LIMITS: ExtractLimits = {
  inputBytes: 50 * MB,
  textChars: 20_000_000,
  pages: 5_000,
  entries: 5_000,
  unpackedBytes: 100 * MB,
  nesting: 200,
  memoryBytes: 600 * MB,
  timeoutMs: 120_000,
  concurrency: 2,
}
