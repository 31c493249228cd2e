import { isJsonObject } from '../../domain/json.ts'
import { APICallError, StreamProviderError } from 'ai'

/** What a provider said went wrong, in the same form for all of them. */
export interface ProviderFailure {
  /** Of the HTTP response; in the midst of a stream, what the provider or the SDK takes it for. */
  status?: number
  /** Types, codes and reasons, in lower case. Each provider has words of its own. */
  words: string[]
  message: string
  headers: Record<string, string>
  /** Google's way of asking to wait, such as `12.5s`. */
  retryDelay?: string
}

/** Undefined: the exchange itself failed, and nothing was said. */
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
    return { status, message, headers: {}, ...body, words: [...toWords([type, code]), ...body.words] }
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

/** `{error: {type, code, status, details}}`, with or without a frame around it. */
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
  return { words: toWords(words), ...(typeof delay === 'string' && { retryDelay: delay }) }
}

const asRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})

const toWords = (values: unknown[]): string[] =>
  values.flatMap(value => (typeof value === 'string' ? value.toLowerCase() : []))
