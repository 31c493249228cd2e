import { StepError } from '../../domain/runs/step-error.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../tools/outbound/client.ts'
import { ChannelError } from './channel-type.ts'

/** A request to a messaging service. */
export interface Post extends Pick<OutboundRequest, 'url' | 'headers' | 'body' | 'signal'> {
  /** The name of the service for error messages. */
  service: string
}

/** Sends a POST request to a messaging service. Throws ChannelError if there is no response. */
export const post = (outbound: Pick<Outbound, 'request'>, { service, ...request }: Post): Promise<OutboundResponse> =>
  outbound.request({ ...request, method: 'POST' }).catch((error: unknown) => {
    if (!(error instanceof StepError)) throw error
    throw new ChannelError({
      // The message of the error could contain the URL, which is secret.
      message: `${service} does not accept requests: ${error.code}`,
      isRetryable: error.retryable || error.code === 'CONNECTION_FAILED',
    })
  })

/**
 * Throws ChannelError unless the service accepted the request.
 * @param isAboutMessage whether other messages can succeed after this status
 */
export function requireAccepted(
  service: string,
  { status, headers }: OutboundResponse,
  isAboutMessage?: boolean,
): void {
  if (status >= 200 && status < 300) return
  const retryAfter = Number(headers['retry-after'])
  throw new ChannelError({
    message: `${service} returned the status ${status}`,
    isRetryable: status === 429 || status >= 500,
    isAboutMessage,
    ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1_000 }),
  })
}
