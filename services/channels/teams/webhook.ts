import type { Notice } from '../../../domain/channels/notification.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import { post, requireAccepted } from '../post.ts'

/** Sends a notice to the address of a Teams workflow. Throws ChannelError. */
export type SendToTeams = (url: string, notice: Notice, signal?: AbortSignal) => Promise<void>

/** Teams accepts 28 kB, and a character has up to 3 bytes. */
const MAX_TITLE_CHARS = 300
const MAX_LINES = 20
const MAX_LINE_CHARS = 350

export const createSendToTeams =
  (outbound: Pick<Outbound, 'request'>): SendToTeams =>
  async (url, notice, signal) => {
    const content = { type: 'message', attachments: [{ contentType: CARD_TYPE, content: renderCard(notice) }] }
    const headers = { 'Content-Type': 'application/json' }
    const response = await post(outbound, { service: 'Teams', url, headers, body: JSON.stringify(content), signal })
    requireAccepted('Teams', response)
  }

const CARD_TYPE = 'application/vnd.microsoft.card.adaptive'

/** Renders an Adaptive Card (https://adaptivecards.io). Its texts are not Markdown, so that they cannot contain links. */
const renderCard = ({ title, lines, url }: Notice) => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body: [
    renderText(shorten(title, MAX_TITLE_CHARS), 'Bolder'),
    ...lines.slice(0, MAX_LINES).map(line => renderText(shorten(line, MAX_LINE_CHARS))),
  ],
  actions: url === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Ganglion', url }],
})

const renderText = (text: string, weight: 'Bolder' | 'Default' = 'Default') => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, weight }],
})
