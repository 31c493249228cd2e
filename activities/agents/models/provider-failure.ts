import { isJsonObject } from '../../../domain/shared/json/json.ts'
import { APICallError, StreamProviderError } from 'ai'

/** An error response in a provider-independent form. */
export interface ProviderFailure {
  /** The HTTP status. For an error within a stream, the status that the provider or the SDK assigned. */
  status?: number
  /** Types, codes and reasons in lowercase. They vary by provider. */
  words: string[]
  message: string
  headers: Record<string, string>
  /** The delay that Google requests before a retry, such as `12.5s`. */
  retryDelay?: string
}

/** Returns undefined if there was no response. */
export function parseProviderFailure(error: unknown): ProviderFailure | undefined {
  if (APICallError.isInstance(error)) {
    const { statusCode: status, message, data, responseHeaders: headers = {} } = error
    return status === undefined
      ? undefined
      : { status, message, headers, ...parseErrorBody(data ?? parseJson(error.responseBody)) }
  }
  if (StreamProviderError.isInstance(error)) {
    const { statusCode: status, message, type, code, data } = error
    const body = parseErrorBody(data)
    return { status, message, headers: {}, ...body, words: [...listWords([type, code]), ...body.words] }
  }
  return undefined
}

const MAX_BODY_CHARS = 100_000

function parseJson(body: string | undefined): unknown {
  if (body === undefined || body.length > MAX_BODY_CHARS) return undefined
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** Parses `{error: {type, code, status, details}}`, with or without an envelope. */
function parseErrorBody(data: unknown): Pick<ProviderFailure, 'words' | 'retryDelay'> {
  const outer = asRecord(data)
  const error = asRecord(outer.error ?? asRecord(outer.response).error ?? data)
  const details = (Array.isArray(error.details) ? error.details : [error.details]).map(asRecord)
  const words = [
    error.type,
    error.code,
    error.status,
    ...details.flatMap(({ reason, error_code }) => [reason, error_code]),
  ]
  const delay = details.map(({ retryDelay }) => retryDelay).find(value => typeof value === 'string')
  return { words: listWords(words), ...(typeof delay === 'string' && { retryDelay: delay }) }
}

const asRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})

const listWords = (values: unknown[]): string[] =>
  values.flatMap(value => (typeof value === 'string' ? value.toLowerCase() : []))
