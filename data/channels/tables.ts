import type { ChannelSettings, ChannelType, MessageStatus, ReceivedMail } from '../../domain/channels/channel.ts'
import type { NotifiedEvent } from '../../domain/channels/notification.ts'
import {
  bigint,
  boolean,
  bytes,
  defineTable,
  generated,
  integer,
  json,
  nullable,
  primary,
  text,
  texts,
  time,
  uuid,
} from '../shared/table.ts'

/** Connections to messaging services, such as a Slack app. */
export const channelsTable = defineTable('channels', {
  id: primary(uuid()),
  workspace_id: uuid(),
  name: text(),
  type: text<ChannelType>(),
  settings: json<ChannelSettings>(),
  /** The credentials as encrypted JSON. */
  credentials: bytes(),
  /** The authors of the credentials, since the channel was created. */
  set_by: texts(),
  /** The time of the first failure since the last success. */
  failing_since: nullable(time()),
  failure: nullable(text()),
  /** The time of the last event from the service. */
  last_event_at: nullable(time()),
  created_by: text(),
  created_at: time(),
  updated_by: text(),
  updated_at: time(),
})

/** Users of a messaging service who are linked to members. */
export const channelAccountsTable = defineTable('channel_accounts', {
  workspace_id: uuid(),
  channel_id: primary(uuid()),
  /** The user id at the service. */
  external_id: primary(text()),
  actor: text(),
  linked_at: time(),
})

/** One-time codes with which a member proves that an account is theirs. */
export const channelLinkCodesTable = defineTable('channel_link_codes', {
  workspace_id: uuid(),
  channel_id: primary(uuid()),
  actor: primary(text()),
  /** SHA-256 of the code. */
  code_hash: bytes(),
  expires_at: time(),
})

/** Browsers that show notifications of a member. */
export const pushSubscriptionsTable = defineTable('push_subscriptions', {
  workspace_id: uuid(),
  channel_id: primary(uuid()),
  /** SHA-256 (hex) of the endpoint. */
  id: primary(text()),
  actor: text(),
  /** The endpoint and the keys as encrypted JSON. */
  subscription: bytes(),
  /** The latest message that was sent. */
  last_message_id: nullable(uuid()),
  /** The time of the first failure since the last success. */
  failing_since: nullable(time()),
  created_at: time(),
})

/** How members and groups are notified in a channel. */
export const notificationRulesTable = defineTable('notification_rules', {
  workspace_id: primary(uuid()),
  /** A member or a group. */
  subject: primary(text()),
  channel_id: primary(uuid()),
  /** The conversation for a group. Null for the linked account of a member. */
  conversation: nullable(text()),
  /** Whether a member also gets the tasks of their groups. */
  includes_groups: boolean(),
  /** Null stands for all events. */
  events: nullable(texts<NotifiedEvent>()),
  /** The working calendar outside of which messages wait. */
  calendar: nullable(text()),
  /** Events that do not wait. */
  urgent: texts<NotifiedEvent>(),
  /** When the next digest is due. Null without digests. */
  digest_due_at: nullable(time()),
  updated_by: text(),
  updated_at: time(),
})

/** Events whose recipients are not yet notified. */
export const notificationEventsTable = defineTable('notification_events', {
  id: generated(primary(bigint())),
  workspace_id: uuid(),
  event_id: uuid(),
  /** `changed`: only existing messages show the event. */
  type: text<NotifiedEvent | 'changed'>(),
  /** The id of the task, run or trigger. */
  subject: text(),
})

/** Events that concern a person, as the console and channels show them. */
export const notificationsTable = defineTable('notifications', {
  id: primary(uuid()),
  workspace_id: uuid(),
  /** A member, or a group whose conversation shows the notification. */
  recipient: text(),
  event_id: uuid(),
  type: text<NotifiedEvent>(),
  intervention_id: nullable(text()),
  job_id: nullable(text()),
  trigger_id: nullable(uuid()),
  /** Whether the recipient is named directly, and not only through a group. */
  is_direct: boolean(),
  created_at: time(),
  read_at: nullable(time()),
})

/** Messages that a service shows: tasks with their current state, answers of runs, notifications and digests. */
export const channelMessagesTable = defineTable('channel_messages', {
  id: primary(uuid()),
  workspace_id: uuid(),
  channel_id: uuid(),
  /** The task that the message shows. */
  intervention_id: nullable(text()),
  /** The run whose answer the message shows. */
  job_id: nullable(text()),
  notification_id: nullable(uuid()),
  /** The time of the digest that the message contains. */
  digest_at: nullable(time()),
  /** The member or group of the notification rule, or the person who wrote. */
  recipient: text(),
  /** The conversation at the service, or the address to which mail is sent. */
  conversation: text(),
  /** The message that this message answers. */
  thread: nullable(text()),
  /** The id that the service gave the message. Null until it is sent. */
  external_id: nullable(text()),
  /** SHA-256 (hex) of the content that the service shows. */
  content_hash: nullable(text()),
  status: text<MessageStatus>(),
  attempts: integer(),
  failure: nullable(text()),
  created_at: time(),
  updated_at: time(),
  /** Identifies a received message, so that it is processed once. */
  source_key: nullable(text()),
  /** The received message that this message answers. */
  received: nullable(json<ReceivedMail>()),
  /** The text of an answer that is not the answer of a run, or of a reply to an answer. */
  reply: nullable(text()),
  /** When to try again to start the workflow. Null once the workflow has started. */
  start_due_at: nullable(time()),
  /** The push subscriptions that have the message. */
  browser_ids: texts(),
})

/** How far the mailboxes of channels have been read. */
export const channelMailboxesTable = defineTable('channel_mailboxes', {
  /** The channel. */
  id: primary(uuid()),
  workspace_id: uuid(),
  /** Messages that arrived earlier are not read. */
  read_from: time(),
  /** The identity of the numbering. Null before the first message. */
  uid_validity: nullable(bigint()),
  /** The last message that was read. */
  last_uid: nullable(bigint()),
  /** The messages that wait until the plan allows another run, oldest first. */
  waiting_uids: json<number[]>(),
  /** When to start the workflow, again if it does not run. */
  start_due_at: nullable(time()),
})
