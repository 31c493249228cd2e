import { StepError } from '../../../domain/runs/step-error.ts'
import { PayloadTooLarge, Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import type { FileUpload } from '../../documents/files.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import { buildUpload } from '../attachments.ts'
import { describeSlackError, type OpenSlack } from './api.ts'

/** Downloads a file that a person has attached to a message. Throws AppError. */
export type ReadSlackFile = (token: string, id: string) => Promise<FileUpload>

interface Deps {
  openSlack: OpenSlack
  outbound: Pick<Outbound, 'request'>
  /** Maximum size of a file. */
  maxBytes: number
}

/** Time limit for one file. */
const TIMEOUT_MS = 30_000

export function createReadSlackFile({ openSlack, outbound, maxBytes }: Deps): ReadSlackFile {
  return async (token, id) => {
    try {
      // The event's own fields are incomplete for files of shared conversations.
      const { file } = await openSlack(token).files.info({ file: id })
      const { url_private_download: url, name, mimetype } = file ?? {}
      if (url === undefined) throw new ValidationError('Slack does not store this file')
      const { status, body } = await outbound.request({
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${token}` },
        maxBytes,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (status >= 500 || status === 429) throw new Unavailable(`Slack returned the status ${status}`)
      if (status !== 200) throw new ValidationError(`Slack returned the status ${status}`)
      return buildUpload(body, name, mimetype)
    } catch (error) {
      if (error instanceof StepError && error.code === 'RESPONSE_TOO_LARGE')
        throw new PayloadTooLarge(`A file may have at most ${maxBytes} bytes`)
      if (error instanceof DOMException && error.name === 'TimeoutError')
        throw new Unavailable(`Slack did not send the file within ${TIMEOUT_MS / 1_000} s`)
      const failure = describeSlackError(error)
      if (!failure) throw error
      throw failure.isRetryable ? new Unavailable(failure.message) : new ValidationError(failure.message)
    }
  }
}
