import { type ParsedMail, simpleParser } from 'mailparser'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { findMessageRow } from './message-id.ts'

/** A mail server's report that it could not deliver a mail. https://www.rfc-editor.org/rfc/rfc3464 */
export interface DeliveryReport {
  /** The ids of the messages that were not delivered. They cannot be guessed. */
  message_ids: string[]
  failure: string
}

const MAX_RECIPIENTS = 50
const MAX_FAILURE_CHARS = 500
const STATUS = new Set(['message/delivery-status', 'message/global-delivery-status'])
const ORIGINAL = new Set(['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'])
/** Keeps the parts of a report as attachments. */
const PARSING = { keepDeliveryStatus: true, ignoreEmbedded: true, checksumAlgo: false } as const

/** Reads a delivery report. Returns undefined for any other mail, and for a report that a mail is delayed. */
export async function readDeliveryReport(mail: ParsedMail, source: Buffer): Promise<DeliveryReport | undefined> {
  const type = mail.headers.get('content-type')
  if (typeof type !== 'object' || !('value' in type) || type.value !== 'multipart/report') return undefined
  const { attachments } = await simpleParser(source, PARSING)
  const find = (types: Set<string>) => attachments.find(({ contentType }) => types.has(contentType))?.content
  const status = find(STATUS)
  if (!status) return undefined
  const groups = await parseFields(status)
  const failed = groups.find(group => readField(group, 'action').toLowerCase() === 'failed')
  if (!failed) return undefined
  const original = find(ORIGINAL)
  const originalId = original && (await simpleParser(original, PARSING)).messageId
  const ids = [originalId ?? '', ...groups.map(group => readField(group, 'original-message-id'))]
  return { message_ids: [...new Set(ids.flatMap(id => findMessageRow(id) ?? []))], failure: describe(failed) }
}

/** A status has groups of fields: one for the message, and one for each recipient. Each has the form of a header. */
const parseFields = (status: Buffer): Promise<ParsedMail[]> =>
  Promise.all(
    status
      .toString()
      .split(/\r?\n\r?\n/)
      .slice(0, 1 + MAX_RECIPIENTS)
      .map(fields => simpleParser(`${fields}\r\n\r\n`, PARSING)),
  )

function readField({ headers }: ParsedMail, name: string): string {
  const value = headers.get(name)
  return typeof value === 'string' ? value.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : ''
}

function describe(group: ParsedMail): string {
  const recipient = readField(group, 'final-recipient').replace(/^[^;]*;\s*/, '')
  const reason = [readField(group, 'status'), readField(group, 'diagnostic-code')].filter(text => text !== '').join(' ')
  return shorten(`The mail to ${recipient} was not delivered: ${reason}`, MAX_FAILURE_CHARS)
}
