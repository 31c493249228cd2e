import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { type Attachment as MailAttachment, type ParsedMail as Mail, simpleParser } from 'mailparser'
import type { Logger } from 'pino'
import { readAuthentication } from '../../../domain/channels/email/authentication-results.ts'
import { findAutomaticReason } from '../../../domain/channels/email/automatic.ts'
import { removeQuote } from '../../../domain/channels/email/quotes.ts'
import type { EmailSettings, ReceivedMail } from '../../../domain/channels/channel.ts'
import { MAX_EMAIL } from '../../../contract/access/member.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import { isStorable, toStorableText } from '../../../domain/shared/json/storable.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { type Attachment, buildUpload } from '../attachments.ts'
import { type DeliveryReport, readDeliveryReport } from './delivery-report.ts'
import { MAX_MAIL_CHARS } from './draft.ts'
import type { StoredMail } from './servers.ts'

/** A received mail, with what decides about its answer. */
export interface ParsedMail {
  received: ReceivedMail
  /** Identifies the mail, also if it is delivered twice. A forged mail cannot take the place of an authentic one. */
  source_key: string
  /** The person's text, without the quoted mail. */
  text: string
  attachments: Attachment[]
  isTooLarge: boolean
  /** Why the mail must not be answered. */
  automatic?: string
  report?: DeliveryReport
}

const MAX_REFERENCES = 50
const MAX_SUBJECT_CHARS = 500
const MAX_ID_CHARS = 500
const PARSING = { skipImageLinks: true, skipTextToHtml: true, maxHtmlLengthToParse: 1_000_000 }

/** Parses a mail. The result for a mail that cannot be parsed contains what its header says. */
export async function parseMail(stored: StoredMail, settings: EmailSettings, log: Logger): Promise<ParsedMail> {
  const { source } = stored
  try {
    const mail = await simpleParser(source, PARSING)
    return { ...describeMail(mail, stored, settings), report: await readDeliveryReport(mail, source) }
  } catch (err) {
    log.warn({ err }, 'a mail is not readable')
    const header = source.subarray(0, Math.max(0, source.indexOf('\r\n\r\n')))
    const mail = await simpleParser(header, PARSING).catch(() => simpleParser('', PARSING))
    return { ...describeMail(mail, stored, settings), automatic: 'The mail is not readable' }
  }
}

function describeMail(
  mail: Mail,
  { source, size, isTooLarge }: StoredMail,
  { from: ownAddress, imap }: EmailSettings,
): ParsedMail {
  const readAll = (name: string) =>
    mail.headerLines
      .filter(({ key }) => key === name)
      .map(({ line }) => toStorableText(unfold(line.slice(line.indexOf(':') + 1))))
  const readFirst = (name: string) => readAll(name)[0]?.toLowerCase()
  const from = readSender(mail.from?.value)
  const results = readAll('authentication-results')
  const authentication = readAuthentication(results, imap?.authserv_id ?? '', toAsciiDomain(from))
  const message_id = readId(mail.messageId)
  const references = [...[mail.references ?? []].flat(), mail.inReplyTo].flatMap(id => readId(id) ?? [])
  const received = {
    message_id,
    from,
    subject: shorten(readText(mail.subject), MAX_SUBJECT_CHARS),
    references: [...new Set(references)].slice(-MAX_REFERENCES),
    authentication,
    size,
  }
  const identity = message_id ?? createHash('sha256').update(source).digest('hex')
  return {
    received,
    source_key: buildSourceKey(identity, received),
    text: shorten(removeQuote(readText(mail.text)), MAX_MAIL_CHARS),
    attachments: mail.attachments.filter(({ related }) => !related).map(toAttachment),
    isTooLarge,
    automatic: findAutomaticReason(readFirst, from, ownAddress),
  }
}

export const buildSourceKey = (
  messageId: string,
  { from, authentication }: Pick<ReceivedMail, 'from' | 'authentication'>,
): string => hashCanonical([messageId, from, authentication.is_authentic])

const unfold = (value: string): string => value.replaceAll(/\r?\n[ \t]+/g, ' ').trim()

/** Decoded text can contain any character. */
const readText = (text = ''): string => toStorableText(text.replaceAll('\0', ''))

/** Returns '' unless there is one valid address. */
function readSender(senders: { address?: string }[] = []): string {
  const [sender, ...others] = senders
  const address = sender?.address ?? ''
  return others.length > 0 || address.length > MAX_EMAIL || !isStorable(address) ? '' : address.toLowerCase()
}

/** The parser decodes international domains, but servers record them in ASCII. */
const toAsciiDomain = (address: string): string =>
  address.replace(/[\w.\P{ASCII}-]+$/u, domain => domainToASCII(domain))

const readId = (id: string | undefined): string | null => {
  const text = id?.trim() ?? ''
  return text === '' || text.length > MAX_ID_CHARS || /\s/.test(text) || !isStorable(text) ? null : text
}

function toAttachment({ content, filename, contentType }: MailAttachment): Attachment {
  const upload = buildUpload(content, filename, contentType)
  return { name: upload.file_name, read: () => Promise.resolve(upload) }
}
