import { shorten } from '../../../domain/shared/text/shorten.ts'
import { escapeXml } from '../../../domain/shared/text/xml.ts'
import type { OutgoingMail } from './servers.ts'

/** A mail without its addresses and its id. */
export interface Draft extends Omit<OutgoingMail, 'from' | 'to' | 'message_id' | 'unsubscribe_url'> {
  /** The state that the mail announces. The same state is announced only once. */
  state: object
}

const MAX_SUBJECT_CHARS = 150
export const MAX_MAIL_CHARS = 100_000

/** Returns one line. */
export const buildSubject = (text: string): string => shorten(text.replaceAll(/\s+/g, ' ').trim(), MAX_SUBJECT_CHARS)

export const buildReplySubject = (subject: string): string =>
  buildSubject(/^re:/i.test(subject) ? subject : `Re: ${subject}`)

/** Renders paragraphs, and a link at the end if it has a URL, as text and as HTML. */
export function renderBody(
  paragraphs: string[],
  link?: { title: string; url?: string },
): Pick<OutgoingMail, 'text' | 'html'> {
  const parts = paragraphs.filter(part => part !== '')
  const html = parts.map(part => `<p style="white-space: pre-wrap">${escapeXml(part)}</p>`)
  if (link?.url !== undefined) {
    parts.push(`${link.title}: ${link.url}`)
    html.push(`<p><a href="${escapeXml(link.url)}">${escapeXml(link.title)}</a></p>`)
  }
  return { text: `${parts.join('\n\n')}\n`, html: html.join('\n') }
}
