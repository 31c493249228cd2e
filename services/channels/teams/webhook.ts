import { StepError } from '../../../domain/runs/step-error.ts'
import type { Notice } from '../../../domain/channels/notification.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import { ChannelError } from '../channel-type.ts'

/** Sends a notice to the address of a Teams workflow. Throws ChannelError. */
export type SendToTeams = (url: string, notice: Notice, signal?: AbortSignal) => Promise<void>

const TIMEOUT_MS = 10_000
/** Teams accepts 28 kB. */
const MAX_TITLE_CHARS = 300
const MAX_LINES = 25
const MAX_LINE_CHARS = 500

export const createSendToTeams =
  (outbound: Pick<Outbound, 'request'>): SendToTeams =>
  async (url, notice, signal) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const content = { type: 'message', attachments: [{ contentType: CARD_TYPE, content: renderCard(notice) }] }
    const request = {
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(content),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }
    const { status, headers } = await outbound.request(request).catch((error: unknown) => {
      if (!(error instanceof StepError)) throw error
      throw new ChannelError({
        // The message of the error could contain the URL, which is secret.
        message: `Teams does not accept requests: ${error.code}`,
        isRetryable: error.retryable || error.code === 'CONNECTION_FAILED',
      })
    })
    if (status >= 200 && status < 300) return
    const retryAfter = Number(headers['retry-after'])
    throw new ChannelError({
      message: `Teams returned the status ${status}`,
      isRetryable: status === 429 || status >= 500,
      ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1_000 }),
    })
  }

const CARD_TYPE = 'application/vnd.microsoft.card.adaptive'

/** Renders an Adaptive Card (https://adaptivecards.io). Its texts are not Markdown, so that they cannot contain links. */
const renderCard = ({ title, lines, url }: Notice) => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body: [
    renderText(title.slice(0, MAX_TITLE_CHARS), 'Bolder'),
    ...lines.slice(0, MAX_LINES).map(line => renderText(line.slice(0, MAX_LINE_CHARS))),
  ],
  actions: url === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Ganglion', url }],
})

const renderText = (text: string, weight: 'Bolder' | 'Default' = 'Default') => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, weight }],
})
