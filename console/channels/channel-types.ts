import type { Item } from '@ganglion/client'
import type { RJSFSchema } from '@rjsf/utils'
import { choice, group, secret, text } from '../shared/forms/fields.ts'

export type Channel = Item<'channels.list'>
export type ChannelType = Channel['type']

export const LABELS: Record<ChannelType, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: 'Email',
  web_push: 'Web push',
}

/** The fields that SMTP and IMAP servers have in common. `security` maps each option to its label. */
const server = (host: string, port: number, security: Record<string, string>) => ({
  host: text('Host', `Such as ${host}`),
  port: { type: 'integer' as const, title: 'Port', minimum: 1, maximum: 65_535, default: port },
  security: choice('Security', security),
  user: text('User'),
  password: secret('Password'),
})

const smtp = group(
  'SMTP server',
  ['host', 'port', 'security'],
  server('smtp.example.com', 587, {
    starttls: 'STARTTLS, usually port 587',
    tls: 'TLS, usually port 465',
    none: 'None, without a password',
  }),
)

const imap = group('Mailbox', ['host', 'port', 'security', 'user', 'password', 'mailbox', 'authserv_id'], {
  ...server('imap.example.com', 993, { tls: 'TLS, usually port 993', starttls: 'STARTTLS, usually port 143' }),
  mailbox: { ...text('Folder', "Ganglion doesn't change or delete its messages."), default: 'INBOX' },
  authserv_id: text(
    'Server name in Authentication-Results',
    'The first word in these headers, such as mx.example.com. Your server must remove such headers from incoming mail.',
  ),
})

/** The settings and credentials of each channel type, as fields of a form. */
export const FIELDS: Record<ChannelType, RJSFSchema> = {
  slack: {
    required: ['bot_token', 'signing_secret'],
    properties: {
      bot_token: secret('Bot token', 'In the Slack app, under OAuth & Permissions'),
      signing_secret: secret('Signing secret', 'In the Slack app, under Basic Information'),
    },
  },
  teams: {
    required: ['webhook_url'],
    properties: { webhook_url: secret('Webhook URL', 'The URL of the workflow in Teams') },
  },
  email: {
    required: ['from'],
    properties: {
      from: { ...text('From address', 'The address that mail is sent from'), format: 'email' },
      smtp,
      receives: { type: 'boolean', title: 'Receive mail, so that agents can answer it' },
    },
    if: { required: ['receives'], properties: { receives: { const: true } } },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ['imap'], properties: { imap } },
  },
  web_push: {
    properties: {
      contact: {
        ...text('Contact address', 'Push services use it to reach you. Default: the public URL of this service'),
        format: 'email',
      },
    },
  },
}

const MAIL = 'mailto:'

/** Whether the contact of a web push channel is an email address, and not the URL of the service. */
export const isAddress = (contact: string): boolean => contact.startsWith(MAIL)

/** Returns the email address or the URL. */
export const describeContact = (contact: string): string => (isAddress(contact) ? contact.slice(MAIL.length) : contact)

/** The field for the conversation of a group, by channel type. Channels of other types have only one conversation. */
export const CONVERSATIONS: Partial<Record<ChannelType, { label: string; placeholder: string; type?: 'email' }>> = {
  slack: { label: 'Conversation id', placeholder: 'C012AB3CD' },
  email: { label: 'Mailing list address', placeholder: 'finance@example.com', type: 'email' },
}
