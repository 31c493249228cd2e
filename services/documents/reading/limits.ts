export interface ExtractLimits {
  /** Of the received file. */
  inputBytes: number
  /** Of the extracted text. */
  textChars: number
  /** Of a PDF. */
  pages: number
  /** Files within a DOCX. */
  entries: number
  /** Of all readable parts of a DOCX together, unpacked. Images are never unpacked. */
  unpackedBytes: number
  /** Levels of nested JSON values. */
  nesting: number
  /** Total memory of the process that reads one document. */
  memoryBytes: number
  /** From the start of that process; time spent in the queue does not count. */
  timeoutMs: number
  /** Documents read at the same time; others queue. */
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
