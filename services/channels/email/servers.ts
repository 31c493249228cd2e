import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import { orAborted } from '../../../domain/shared/or-aborted.ts'
import type { ImapServer, SmtpServer } from '../../../domain/channels/channel.ts'
import type { Outbound } from '../../tools/outbound/client.ts'
import { callMailServer } from './call-server.ts'

export interface OutgoingMail {
  from: string
  to: string
  subject: string
  text: string
  html: string
  message_id: string
  in_reply_to?: string
  /** Message-IDs of the thread, oldest first. */
  references: string[]
  /** The page where the recipient turns off such mail. */
  unsubscribe_url?: string
  /** Whether the mail answers a mail of a person. */
  isReply: boolean
}

/** A message as the server stores it. */
export interface StoredMail {
  size: number
  /** The message, or only its headers if it is too large. */
  source: Buffer
  isTooLarge: boolean
  arrived_at: Date
}

/** An open mailbox. Methods throw ChannelError. Reading does not change the mailbox. */
export interface OpenMailbox {
  uid_validity: number
  /** Returns the UIDs after a UID, in order. */
  listAfter(uid: number): Promise<number[]>
  /** Returns the UIDs of the messages that arrived on this day or later, in order. */
  listSince(day: Date): Promise<number[]>
  /** Returns undefined for a message that no longer exists. */
  read(uid: number, maxBytes: number): Promise<StoredMail | undefined>
}

/** Connections to mail servers. Methods throw ChannelError. */
export interface MailServers {
  /** Signs in, without sending anything. */
  checkSmtp(server: SmtpServer, password: string | null): Promise<void>
  send(server: SmtpServer, password: string | null, mail: OutgoingMail, signal: AbortSignal): Promise<void>
  withMailbox<T>(
    server: ImapServer,
    password: string,
    signal: AbortSignal,
    work: (mailbox: OpenMailbox) => Promise<T>,
  ): Promise<T>
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Creates connections only to addresses that the guarded HTTP client may also call. */
export function createMailServers(outbound: Pick<Outbound, 'findAddress'>): MailServers {
  /** The certificate is checked for the name, although the connection goes to its checked address. */
  const locate = async ({ host, port }: { host: string; port: number }) => ({
    host: await outbound.findAddress(host, port),
    port,
    ...(isIP(host) === 0 && { servername: host }),
  })

  async function openSmtp(server: SmtpServer, password: string | null) {
    const { security, user } = server
    return createTransport({
      ...TIMEOUTS,
      ...(await locate(server)),
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user !== null && { auth: { user, pass: password ?? '' } }),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  return {
    checkSmtp: (server, password) =>
      callMailServer('SMTP', async () => {
        await (await openSmtp(server, password)).verify()
      }),

    send: (server, password, mail, signal) =>
      callMailServer('SMTP', async () => {
        const transport = await openSmtp(server, password)
        await orAborted(
          transport.sendMail({
            from: { name: 'Ganglion', address: mail.from },
            to: { name: '', address: mail.to },
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            messageId: mail.message_id,
            inReplyTo: mail.in_reply_to,
            references: mail.references,
            ...(mail.unsubscribe_url !== undefined && { list: { unsubscribe: mail.unsubscribe_url } }),
            headers: {
              'Auto-Submitted': mail.isReply ? 'auto-replied' : 'auto-generated',
              'X-Auto-Response-Suppress': 'All',
            },
          }),
          signal,
        )
      }),

    async withMailbox(server, password, signal, work) {
      const client = await callMailServer('IMAP', async () => {
        const { security, user } = server
        return new ImapFlow({
          ...TIMEOUTS,
          ...(await locate(server)),
          secure: security === 'tls',
          ...(security === 'starttls' && { doSTARTTLS: true }),
          auth: { user, pass: password },
          disableAutoIdle: true,
          logger: false,
        })
      })
      // A lost connection also fails the call that is waiting for it.
      client.on('error', () => undefined)
      const close = () => client.close()
      signal.addEventListener('abort', close, { once: true })
      try {
        const { uidValidity } = await callMailServer('IMAP', async () => {
          await client.connect()
          return client.mailboxOpen(server.mailbox, { readOnly: true })
        })
        const result = await work(readMailbox(client, Number(uidValidity)))
        await client.logout().catch(() => undefined)
        return result
      } finally {
        signal.removeEventListener('abort', close)
        close()
      }
    },
  }
}

function readMailbox(client: ImapFlow, uid_validity: number): OpenMailbox {
  const search = (query: { uid: string } | { since: Date }) =>
    callMailServer('IMAP', async () => {
      const uids = await client.search(query, { uid: true })
      return (uids || []).toSorted((one, other) => one - other)
    })
  return {
    uid_validity,
    // The range `9:*` includes the last message, even if its UID is lower.
    listAfter: async after => (await search({ uid: `${after + 1}:*` })).filter(uid => uid > after),
    listSince: since => search({ since }),
    read: (uid, maxBytes) =>
      callMailServer('IMAP', async () => {
        const options = { uid: true }
        const facts = await client.fetchOne(String(uid), { uid: true, size: true, internalDate: true }, options)
        if (!facts) return undefined
        const { size = 0, internalDate = new Date() } = facts
        const isTooLarge = size > maxBytes
        const message = await client.fetchOne(String(uid), isTooLarge ? { headers: true } : { source: true }, options)
        const source = message && (isTooLarge ? message.headers : message.source)
        return source ? { size, source, isTooLarge, arrived_at: new Date(internalDate) } : undefined
      }),
  }
}
