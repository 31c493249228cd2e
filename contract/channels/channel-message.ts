import { z } from 'zod'
import { MESSAGE_STATUSES, type ReceivedMail } from '../../domain/channels/channel.ts'
import { pageSchema } from '../shared/page.ts'
import { timestamp } from '../shared/time.ts'

const checkResult = z.string().nullable()
const receivedMail = z
  .object({
    message_id: z.string().nullable(),
    from: z.string(),
    subject: z.string(),
    references: z.array(z.string()),
    authentication: z
      .object({ spf: checkResult, dkim: checkResult, dmarc: checkResult, is_authentic: z.boolean() })
      .meta({ description: 'Results that the receiving server recorded. Null for a missing result.' }),
    size: z.int(),
  })
  .meta({ id: 'ReceivedMail' }) satisfies z.ZodType<ReceivedMail>

export const channelMessage = z
  .object({
    id: z.uuid(),
    intervention_id: z.string().nullable().meta({ description: 'The task that the message shows' }),
    job_id: z.string().nullable().meta({ description: 'The run whose answer the message shows' }),
    notification_id: z.uuid().nullable().meta({ description: 'The notification that the message contains' }),
    digest_at: timestamp.nullable().meta({ description: 'Time of the digest that the message contains' }),
    recipient: z.string(),
    conversation: z.string(),
    thread: z.string().nullable(),
    external_id: z.string().nullable().meta({ description: 'Id of the message at the service' }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description:
        '`skipped`: nothing is sent, because the task was closed before, or because the received mail needs no answer',
    }),
    attempts: z.int().meta({ description: 'Attempts since the last success' }),
    failure: z.string().nullable(),
    received: receivedMail.nullable().meta({ description: 'The mail that this message answers' }),
    reply: z.string().nullable().meta({ description: 'The answer, if it is not the answer of a run' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ChannelMessage' })
export type ChannelMessageView = z.output<typeof channelMessage>

export const channelMessagePage = pageSchema(channelMessage)
