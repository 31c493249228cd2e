import type { KnownBlock } from '@slack/web-api'
import type { Notice } from '../../../domain/channels/notification.ts'
import type { SlackMessage } from './task-blocks.ts'
import { buildPageLink, escapeText, MAX_TEXT_CHARS, shorten, shortenEscaped } from './text.ts'

const MAX_NOTICE_CHARS = 8_000

export function renderNotice({ title, lines, url }: Notice): SlackMessage {
  const markdown = [`**${title}**`, ...lines.map(line => `- ${line}`)].join('\n')
  const blocks: KnownBlock[] = [{ type: 'markdown', text: shortenEscaped(markdown, MAX_NOTICE_CHARS) }]
  if (url !== undefined) blocks.push({ type: 'actions', elements: [buildPageLink(url)] })
  return { text: shorten(escapeText(title), MAX_TEXT_CHARS), blocks }
}
