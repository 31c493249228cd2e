import { StepError } from '../../../domain/runs/step-error.ts'

export const DOCUMENT_ERROR_CODES = [
  'DOCUMENT_BROKEN',
  'DOCUMENT_ENCRYPTED',
  'DOCUMENT_TOO_LARGE',
  'DOCUMENT_TOO_SLOW',
  'DOCUMENT_UNSUPPORTED',
] as const

export type DocumentErrorCode = (typeof DOCUMENT_ERROR_CODES)[number]

/** Human-readable reason why a document has no text. Not retryable, because the same bytes would fail again. */
export class DocumentError extends StepError {
  declare readonly code: DocumentErrorCode

  constructor(code: DocumentErrorCode, message: string, cause?: unknown) {
    super(code, message, { retryable: false, cause })
    this.name = 'DocumentError'
  }
}

export const brokenDocumentError = (message: string, cause?: unknown) =>
  new DocumentError('DOCUMENT_BROKEN', message, cause)
export const encryptedDocumentError = (subject: string) =>
  new DocumentError('DOCUMENT_ENCRYPTED', `The ${subject} is encrypted; remove its password`)
export const documentTooLargeError = (message: string, cause?: unknown) =>
  new DocumentError('DOCUMENT_TOO_LARGE', message, cause)
export const unsupportedDocumentError = (message: string) => new DocumentError('DOCUMENT_UNSUPPORTED', message)

export const textTooLongError = (limit: number) =>
  documentTooLargeError(`The document's text must have at most ${limit.toLocaleString('en')} characters`)

export function memoryLimitError(limitBytes: number): DocumentError {
  return documentTooLargeError(
    `Reading the document requires more than the maximum of ${Math.round(limitBytes / 1_048_576)} MB of memory`,
  )
}

export function readTimeoutError(timeoutMs: number): DocumentError {
  return new DocumentError(
    'DOCUMENT_TOO_SLOW',
    `The document could not be read within ${Math.round(timeoutMs / 1_000)} seconds`,
  )
}

/** Converts a parser error to a document failure. */
export function toDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return documentTooLargeError('The document is nested too deeply', error)
  if (error instanceof RangeError && /string length|allocation failed|buffer/i.test(error.message))
    return documentTooLargeError('The document is too large to read', error)
  return brokenDocumentError('The document is damaged', error)
}

const MAX_DETAIL_CHARS = 2_000

/** A failure in the form that a thread or process sends, because errors lose their class in transit. */
export interface SentFailure {
  code: DocumentErrorCode
  message: string
  /** The parser's original error, for the log. */
  detail?: string
}

export function describeFailure(error: unknown): SentFailure {
  const { code, message, cause } = toDocumentError(error)
  return { code, message, detail: cause instanceof Error ? cause.stack?.slice(0, MAX_DETAIL_CHARS) : undefined }
}
