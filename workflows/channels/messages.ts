export const CHANNEL_MESSAGE_WORKFLOW = 'channelMessage'

/**
 * Input of a message, which counts as a task of its workspace. A message is not a job: `job_id` is the workflow id.
 */
export interface ChannelMessageInput {
  job: { job_id: string; workspace_id: string }
  message_id: string
}

export const buildMessageWorkflowId = (messageId: string): string => `channel-message-${messageId}`

export const MAILBOX_WORKFLOW = 'mailbox'

/** Input of a mailbox, which counts as a task of its workspace. `job_id` is the workflow id. */
export interface MailboxInput {
  job: { job_id: string; workspace_id: string }
  channel_id: string
}

export const buildMailboxWorkflowId = (channelId: string): string => `channel-mailbox-${channelId}`
