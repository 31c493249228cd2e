import type { Button, PlainTextElement } from '@slack/web-api'
import { shorten } from '../../../domain/shared/text/shorten.ts'

/** The notification of a message. */
export const MAX_TEXT_CHARS = 300
export const MAX_SECTION_CHARS = 3_000

/** Tells someone without a linked account how to link it. */
export const HELP_UNLINKED =
  'Your Slack account is not linked to a member. In Ganglion, open Settings, Notifications, choose “Link account”, and send me the code as a direct message: link CODE'

/** Escapes text, so that it cannot mention people or disguise links. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes text to at most this length. Does not cut an escaped character. */
export function shortenEscaped(text: string, maxChars: number): string {
  const escaped = escapeText(text)
  return escaped.length <= maxChars ? escaped : shorten(escaped, maxChars).replace(/&[a-z]{0,4}…$/, '…')
}

export const plain = (text: string, maxChars: number): PlainTextElement => ({
  type: 'plain_text',
  text: shorten(text, maxChars),
})

/** Builds the link to a page of the console. A click on it needs no response. */
export const buildPageLink = (url: string): Button => ({
  type: 'button',
  text: { type: 'plain_text', text: 'Open in Ganglion' },
  action_id: 'open_link',
  url,
})

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
