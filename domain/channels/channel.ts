/** The public settings and the encrypted credentials of each channel type. */
export interface ChannelKinds {
  slack: { settings: SlackSettings; credentials: SlackCredentials }
  teams: { settings: TeamsSettings; credentials: TeamsCredentials }
  email: { settings: EmailSettings; credentials: EmailCredentials }
  web_push: { settings: WebPushSettings; credentials: WebPushCredentials }
}
export type ChannelType = keyof ChannelKinds

/** Services that notify people. People also answer in some of them. */
export const CHANNEL_TYPES = ['slack', 'teams', 'email', 'web_push'] as const satisfies ChannelType[]

export type ChannelSettings = ChannelKinds[ChannelType]['settings']

/** A channel's type with its settings and credentials. */
export type Connection<T extends ChannelType = ChannelType> = { [K in T]: { type: K } & ChannelKinds[K] }[T]

/** Public facts about a connection, read from the service when the channel is saved. */
export interface SlackSettings {
  /** The Slack workspace. */
  team_id: string
  team: string
  /** The app's own user, whose messages are ignored. */
  bot_user_id: string
}

export interface SlackCredentials {
  bot_token: string
  signing_secret: string
}

export interface TeamsSettings {
  /** The host of the workflow's address. */
  host: string
}

export interface TeamsCredentials {
  /** The secret address of the workflow: everyone who knows it can send messages. */
  webhook_url: string
}

/** TLS from the first byte, TLS after STARTTLS, or no encryption, which allows no password. */
export const SMTP_SECURITY = ['tls', 'starttls', 'none'] as const
export const IMAP_SECURITY = ['tls', 'starttls'] as const

/** A server that sends mail. */
export interface SmtpServer {
  host: string
  port: number
  security: (typeof SMTP_SECURITY)[number]
  /** Null for a server that needs no password. */
  user: string | null
}

/** A mailbox that is read, on a server whose authentication results are trusted. */
export interface ImapServer {
  host: string
  port: number
  security: (typeof IMAP_SECURITY)[number]
  user: string
  mailbox: string
  /** The name under which the server records whether senders are authentic. */
  authserv_id: string
}

export interface EmailSettings {
  /** The address from which mail is sent. */
  from: string
  smtp: SmtpServer
  /** Null for a channel that only sends. */
  imap: ImapServer | null
}

export interface EmailCredentials {
  smtp_password: string | null
  imap_password: string | null
}

export interface WebPushSettings {
  /** The key with which browsers subscribe (P-256, base64url). */
  public_key: string
  /** Where push services can reach the operator: a `mailto:` or `https:` URL. */
  contact: string
}

export interface WebPushCredentials {
  /** Signs requests to push services (P-256, base64url). */
  private_key: string
}

/** A mail that a channel received, as its log shows it. */
export interface ReceivedMail {
  message_id: string | null
  from: string
  subject: string
  /** Message-IDs of the thread, oldest first. */
  references: string[]
  authentication: MailAuthentication
  size: number
}

/** Results of the checks by the receiving server. Null if the server did not report the check. */
export interface MailAuthentication {
  spf: string | null
  dkim: string | null
  dmarc: string | null
  /** Whether the sender's domain has authorized the mail. */
  is_authentic: boolean
}

/**
 * The statuses of messages. `skipped`: nothing is sent, because the task was closed before, or because a received
 * message needs no answer.
 */
export const MESSAGE_STATUSES = ['pending', 'sent', 'skipped', 'failed'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** The result of an attempt to show a message. */
export interface ShownMessage {
  /** Whether the subject has changed since, so that another attempt is needed now. */
  is_due: boolean
}

/** The result of reading a mailbox. */
export interface MailboxRead {
  /** The time until the next read. Null if the mailbox is no longer read. */
  next_in_ms: number | null
}

/** The prefix of a channel's name in the audit log and in evidence, where credentials are named by their ids. */
const CREDENTIAL_PREFIX = 'channel:'

/** Returns the credential id under which answers from a channel are recorded. */
export const buildChannelCredential = (channelId: string): string => CREDENTIAL_PREFIX + channelId

/** Returns the channel's id, or undefined for another kind of credential. */
export const findCredentialChannel = (keyId: string): string | undefined =>
  keyId.startsWith(CREDENTIAL_PREFIX) ? keyId.slice(CREDENTIAL_PREFIX.length) : undefined
