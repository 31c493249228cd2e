import { StepError } from '../../../domain/runs/step-error.ts'
import { ChannelError, type ChannelFailure } from '../channel-type.ts'

export type MailProtocol = 'SMTP' | 'IMAP'

/** Runs an exchange with a mail server. Throws ChannelError. */
export async function callMailServer<T>(protocol: MailProtocol, exchange: () => Promise<T>): Promise<T> {
  try {
    return await exchange()
  } catch (error) {
    throw new ChannelError(describe(protocol, error), error)
  }
}

/** Quotes the codes of an error, but never its text, which may quote the message or an address. */
function describe(protocol: MailProtocol, error: unknown): ChannelFailure {
  if (error instanceof StepError)
    return {
      message: `${protocol}: ${error.message}`,
      isRetryable: error.retryable || error.code === 'CONNECTION_FAILED',
    }
  const { code, responseCode, authenticationFailed, responseStatus } = error as {
    code?: unknown
    responseCode?: unknown
    authenticationFailed?: unknown
    responseStatus?: unknown
  }
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500
  if (code === 'EAUTH' || authenticationFailed === true)
    return {
      message: `${protocol}: the server rejected the user name or the password`,
      isRetryable: code === 'EAUTH' && !isPermanent,
    }
  if (typeof responseCode === 'number')
    return {
      message: `${protocol}: the server returned ${responseCode}`,
      isRetryable: !isPermanent,
      isAboutMessage: code === 'EENVELOPE' || code === 'EMESSAGE',
    }
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return { message: `${protocol}: the server rejected a command`, isRetryable: true }
  const cause = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/i.test(code) ? ` (${code})` : ''
  return { message: `${protocol}: the connection failed${cause}`, isRetryable: true }
}
