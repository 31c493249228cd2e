import type { KnownBlock } from '@slack/web-api'
import type { Notice } from '../../../domain/channels/notification.ts'
import type { SlackMessage } from './task-blocks.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildPageLink, escapeText, MAX_SECTION_CHARS, MAX_TEXT_CHARS, plain } from './text.ts'

const MAX_TITLE_CHARS = 150

/** Renders a notice. Its texts are not Markdown, so that they cannot mention people or contain links. */
export function renderNotice({ title, lines, url }: Notice): SlackMessage {
  const blocks: KnownBlock[] = [{ type: 'header', text: plain(title, MAX_TITLE_CHARS) }]
  if (lines.length > 0) blocks.push({ type: 'section', text: plain(lines.join('\n'), MAX_SECTION_CHARS) })
  if (url !== undefined) blocks.push({ type: 'actions', elements: [buildPageLink(url)] })
  return { text: shorten(escapeText(title), MAX_TEXT_CHARS), blocks }
}
