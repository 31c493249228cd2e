import { LogLevel, WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebClient } from '@slack/web-api'
import { StepError } from '../../../domain/runs/step-error.ts'
import { isJsonObject } from '../../../domain/shared/json/json.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import type { ChannelFailure } from '../channel-type.ts'
import { parseJson } from './text.ts'

/** Opens Slack's Web API with a bot token. */
export type OpenSlack = (token: string, signal?: AbortSignal) => WebClient

/** Time limit for one request. Slack discards an interaction that is not answered within 3 s. */
const TIMEOUT_MS = 10_000

/**
 * Creates clients that send their requests through the guarded HTTP client. They don't retry, because each caller
 * decides about the next attempt.
 * @param baseUrl the URL of the Web API, such as `https://slack.com/api/`
 */
export function createOpenSlack(outbound: Pick<Outbound, 'request'>, baseUrl: string): OpenSlack {
  return (token, signal) =>
    new WebClient(token, {
      slackApiUrl: baseUrl,
      allowAbsoluteUrls: false,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: SILENT,
      fetch: async (url, init = {}) => {
        const { method = 'GET', headers, body } = init
        const timeout = AbortSignal.timeout(TIMEOUT_MS)
        const response = await outbound.request({
          method,
          url: String(url),
          headers,
          ...(typeof body === 'string' && { body }),
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        })
        return toFetchResponse(String(url), response)
      },
    })
}

/** Errors are logged where they are handled. The client's own log could contain message texts. */
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
}

/** Slack's client throws an error without a code for a rate limit whose end is unknown. */
const UNKNOWN_DELAY_SECONDS = '1'

function toFetchResponse(url: string, { status, headers, body }: Awaited<ReturnType<Outbound['request']>>) {
  const content = body.toString('utf8')
  // Slack's client reports an empty text as an error, and fails on JSON values that are not objects.
  const text = () => Promise.resolve(isJsonObject(parseJson(content)) ? content : '')
  const findHeader = (name: string) =>
    status === 429 && name === 'retry-after' && !/^\d+$/.test(headers[name] ?? '')
      ? UNKNOWN_DELAY_SECONDS
      : headers[name]
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url,
    headers: { get: (name: string) => findHeader(name.toLowerCase()) ?? null, entries: () => Object.entries(headers) },
    arrayBuffer: () => Promise.resolve(Uint8Array.from(body).buffer),
    text,
    json: async () => JSON.parse(await text()) as unknown,
  }
}

/**
 * Slack errors after which the same request can succeed, because Slack recovers or someone invites the app.
 */
const TRANSIENT = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'not_in_channel',
  'channel_not_found',
])

/** Slack errors that concern a message, its conversation or its recipient, so that other messages can succeed. */
const ABOUT_MESSAGE = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  'user_not_found',
  'user_disabled',
  'msg_too_long',
  'invalid_blocks',
])

/** Describes an error of a request to Slack. Returns undefined for an error that is not Slack's. */
export function describeSlackError(error: unknown): ChannelFailure | undefined {
  if (error instanceof WebAPIRateLimitedError)
    return { message: 'Slack limits the rate of requests', isRetryable: true, retryAfterMs: error.retryAfter * 1_000 }
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error
    if (typeof code !== 'string' || !/^[a-z_]+$/.test(code))
      return { message: 'Slack returned an invalid response', isRetryable: true }
    return {
      message: `Slack returned ${code}`,
      isRetryable: TRANSIENT.has(code),
      isAboutMessage: ABOUT_MESSAGE.has(code),
    }
  }
  if (error instanceof WebAPIHTTPError)
    return { message: `Slack returned the status ${error.statusCode}`, isRetryable: error.statusCode >= 500 }
  const cause = findStepError(error)
  return cause && { message: cause.message, isRetryable: cause.retryable || cause.code === 'CONNECTION_FAILED' }
}

/** Finds the guarded client's error, which Slack's client wraps. */
function findStepError(error: unknown): StepError | undefined {
  for (let at = error; at instanceof Error; at = 'original' in at ? at.original : at.cause)
    if (at instanceof StepError) return at
  return undefined
}
