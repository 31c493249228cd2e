import { closeMailbox, openMailbox } from '../../../data/channels/mailboxes-store.ts'
import type { EmailSettings, ImapServer } from '../../../domain/channels/channel.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import { type ChannelConnector, ChannelError } from '../channel-type.ts'
import type { MailServers } from './servers.ts'

const CHECK_MS = 60_000

/** A channel sends mail over SMTP, and reads a mailbox over IMAP. Both servers are asked before it is saved. */
export const createEmailConnector = ({ servers }: { servers: MailServers }): ChannelConnector<'email'> => ({
  async connect({ from, smtp, imap }) {
    const { password: smtp_password = null, user = null, ...smtpServer } = smtp
    const settings: EmailSettings = { from: from.toLowerCase(), smtp: { ...smtpServer, user }, imap: null }
    await check('/smtp', () => servers.checkSmtp(settings.smtp, smtp_password))
    if (!imap) return { settings, credentials: { smtp_password, imap_password: null } }
    const { password: imap_password, ...server } = imap
    const signal = AbortSignal.timeout(CHECK_MS)
    await check('/imap', () => servers.withMailbox(server, imap_password, signal, () => Promise.resolve()))
    return { settings: { ...settings, imap: server }, credentials: { smtp_password, imap_password } }
  },

  async onSaved(tx, id, { imap }, before) {
    if (!imap || !isSameMailbox(imap, before?.imap)) await closeMailbox(tx, id)
    if (imap) await openMailbox(tx, id)
  },

  present: settings => ({ type: 'email', ...settings }),
})

/** The position in one mailbox means nothing in another. */
const isSameMailbox = ({ host, user, mailbox }: ImapServer, other: ImapServer | null | undefined): boolean =>
  host === other?.host && user === other.user && mailbox === other.mailbox

async function check(pointer: string, connect: () => Promise<void>): Promise<void> {
  try {
    await connect()
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    throw invalidRequestError([{ pointer, message: `is not accepted: ${error.failure.message}` }])
  }
}
