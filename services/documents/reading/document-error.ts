import { StepError } from '../../../domain/runs/step-error.ts'

export const DOCUMENT_ERROR_CODES = [
  'DOCUMENT_BROKEN',
  'DOCUMENT_ENCRYPTED',
  'DOCUMENT_TOO_LARGE',
  'DOCUMENT_TOO_SLOW',
  'DOCUMENT_UNSUPPORTED',
] as const

export type DocumentErrorCode = (typeof DOCUMENT_ERROR_CODES)[number]

/** The reason why a document has no text, for people. Not retryable: the same bytes would fail again. */
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
  documentTooLargeError(`The text of the document must have at most ${limit.toLocaleString('en')} characters`)

export function memoryLimitError(limitBytes: number): DocumentError {
  return documentTooLargeError(
    `Reading the document takes more memory than the ${Math.round(limitBytes / 1_048_576)} MB allowed`,
  )
}

export function readTimeoutError(timeoutMs: number): DocumentError {
  return new DocumentError(
    'DOCUMENT_TOO_SLOW',
    `The document could not be read within ${Math.round(timeoutMs / 1_000)} seconds`,
  )
}

/** Converts the error of a parser to the failure of the document. */
export function toDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return documentTooLargeError('The document is nested too deeply', error)
  if (error instanceof RangeError && /string length|allocation failed|buffer/i.test(error.message))
    return documentTooLargeError('The document is too large to be read', error)
  return brokenDocumentError('The document is damaged', error)
}

const MAX_DETAIL_CHARS = 2_000

/** A failure as it is sent from a thread or a process: errors lose their class on the way. */
export interface SentFailure {
  code: DocumentErrorCode
  message: string
  /** The parser's own error, for the log. */
  detail?: string
}

export function describeFailure(error: unknown): SentFailure {
  const { code, message, cause } = toDocumentError(error)
  return { code, message, detail: cause instanceof Error ? cause.stack?.slice(0, MAX_DETAIL_CHARS) : undefined }
}
