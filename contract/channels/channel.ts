import { z } from 'zod'
import { MAIL_SENDERS } from '../../domain/channels/binding.ts'
import { IMAP_SECURITY, SMTP_SECURITY } from '../../domain/channels/channel.ts'
import { email } from '../access/member.ts'
import { jsonValue } from '../shared/json.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_SECRET_CHARS = 500
export const MAX_URL_CHARS = 2_000

export const channelName = z
  .string()
  .max(60)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must have only lower-case letters, digits and hyphens')

export const channelParams = z.object({ name: channelName.meta({ description: 'Name of the channel' }) })

const secret = (description: string) =>
  line(MAX_SECRET_CHARS)
    .min(1)
    .meta({ description: `${description}. Never returned in a response.`, writeOnly: true })

const slackBody = z.strictObject({
  name: channelName,
  type: z.literal('slack'),
  bot_token: secret('The bot user OAuth token of the Slack app, such as `xoxb-…`').regex(
    /^xoxb-/,
    'must be a bot token, which starts with xoxb-',
  ),
  signing_secret: secret('The signing secret of the Slack app').regex(
    /^[0-9a-f]{32}$/,
    'must be a signing secret: 32 hexadecimal digits',
  ),
})

const teamsBody = z.strictObject({
  name: channelName,
  type: z.literal('teams'),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL_CHARS)
    .meta({
      description: 'URL of the Teams workflow that receives messages. Never returned in a response.',
      writeOnly: true,
    }),
})

const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an address')
const port = z.int().min(1).max(65_535)
const user = line(MAX_SECRET_CHARS).min(1)

const smtpBody = z
  .strictObject({
    host,
    port: port.default(587),
    security: z.enum(SMTP_SECURITY).default('starttls').meta({
      description: '`tls` encrypts from the first byte, usually on port 465. `none` allows no user and password.',
    }),
    user: user.optional(),
    password: secret('The password of the user').optional(),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    message: 'must be set together with user',
  })
  .refine(({ security, user }) => security !== 'none' || user === undefined, {
    path: ['security'],
    message: 'must be tls or starttls, so that the password is encrypted',
  })

const imapBody = z.strictObject({
  host,
  port: port.default(993),
  security: z.enum(IMAP_SECURITY).default('tls'),
  user,
  password: secret('The password of the user'),
  mailbox: line(MAX_SECRET_CHARS).min(1).default('INBOX'),
  authserv_id: line(253).min(1).meta({
    description:
      "The name in the server's `Authentication-Results` headers, such as `mx.example.com`. The server must remove headers with this name from mail that it receives.",
  }),
})

const emailBody = z.strictObject({
  name: channelName,
  type: z.literal('email'),
  from: email.meta({ description: 'The address that mail is sent from' }),
  smtp: smtpBody.meta({ description: 'The server that sends mail' }),
  imap: imapBody.optional().meta({ description: 'The mailbox that receives answers. Default: none' }),
})

const webPushBody = z.strictObject({
  name: channelName,
  type: z.literal('web_push'),
  contact: email.optional().meta({
    description:
      'Where push services can reach the operator. Default: the public URL of the service. Required if this is not an https URL.',
  }),
})

export const channelBody = z.discriminatedUnion('type', [slackBody, teamsBody, emailBody, webPushBody])
export type ChannelFields = z.output<typeof channelBody>

const shared = z.object({
  name: z.string(),
  status: z.enum(['connected', 'failing']),
  failing_since: timestamp.nullable(),
  failure: z.string().nullable().meta({ description: 'Reason of the last failure' }),
  last_event_at: timestamp.nullable().meta({ description: 'Time of the last event, accurate to the minute' }),
  receptors: z
    .array(
      z.object({
        id: z.uuid(),
        slug: z.string(),
        conversations: z.array(z.string()).nullable(),
        senders: z.enum(MAIL_SENDERS).nullable(),
      }),
    )
    .meta({
      description:
        'Receptors (gateways) that answer in the channel. `conversations`: only there. `senders`: who gets answers by mail',
    }),
  created_by: z.string(),
  created_at: timestamp,
  updated_by: z.string(),
  updated_at: timestamp,
})
/** The fields that channels of all types have. */
export type SharedChannelFields = z.output<typeof shared>

const slackChannel = shared
  .extend({
    type: z.literal('slack'),
    team: z.string().meta({ description: 'Name of the Slack workspace' }),
    team_id: z.string(),
    request_url: z.string().meta({ description: 'URL to which the service sends its events and interactions' }),
  })
  .meta({ id: 'SlackChannel' })

const teamsChannel = shared
  .extend({
    type: z.literal('teams'),
    host: z.string().meta({ description: 'Host of the URL of the Teams workflow' }),
  })
  .meta({ id: 'TeamsChannel' })

const emailChannel = shared
  .extend({
    type: z.literal('email'),
    from: z.string(),
    smtp: z.object({
      host: z.string(),
      port: z.int(),
      security: z.enum(SMTP_SECURITY),
      user: z.string().nullable(),
    }),
    imap: z
      .object({
        host: z.string(),
        port: z.int(),
        security: z.enum(IMAP_SECURITY),
        user: z.string(),
        mailbox: z.string(),
        authserv_id: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'EmailChannel' })

/** The key of a web push channel. */
export const publicKey = z.string().meta({ description: 'The key with which browsers subscribe (P-256, base64url)' })

const webPushChannel = shared
  .extend({
    type: z.literal('web_push'),
    public_key: publicKey,
    contact: z.string().meta({ description: 'Where push services can reach the operator' }),
  })
  .meta({ id: 'WebPushChannel' })

export const channel = z
  .discriminatedUnion('type', [slackChannel, teamsChannel, emailChannel, webPushChannel])
  .meta({ id: 'Channel' })
export type ChannelView = z.output<typeof channel>

export const channelPage = pageSchema(channel)

/** Depends on the service. Most requests get an empty object. */
export const channelReply = z.record(z.string(), jsonValue).meta({ id: 'ChannelReply' })
