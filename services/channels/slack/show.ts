import { saveSent } from '../../../data/channels/channel-messages-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { JobEventSource } from '../../../domain/runs/job-event-source.ts'
import { buildRunUrl, buildTaskUrl } from '../../../domain/shared/console-link.ts'
import { ChannelError, type Showing, type ShowIn, type Shown } from '../channel-type.ts'
import { findTask } from '../find-task.ts'
import { followAnswer, PLACEHOLDER, renderAnswer } from './answer.ts'
import { describeSlackError, type OpenSlack } from './api.ts'
import { renderNotice } from './notice-blocks.ts'
import { createPutMessage, type PutMessage } from './put-message.ts'
import { renderTask, renderText, type SlackMessage, WITHDRAWN_TASK } from './task-blocks.ts'

interface Deps {
  openSlack: OpenSlack
  events: JobEventSource
  /** The service's public URL. */
  baseUrl?: string
}

/** Shows tasks and answers as Slack messages, which always show the current state. */
export function createShowInSlack({ openSlack, events, baseUrl }: Deps): ShowIn<'slack'> {
  /** Returns the content that Slack shows, or undefined if there is nothing to show: the task was never sent. */
  async function showTask(
    { inWorkspace, message }: Showing<'slack'>,
    put: PutMessage,
  ): Promise<SlackMessage | undefined> {
    const { task, isMeant } = await inWorkspace(tx => findTask(tx, message))
    if (!task) return undefined
    const taskUrl = buildTaskUrl(baseUrl, task.id)
    const content = isMeant ? renderTask(task, taskUrl) : WITHDRAWN_TASK
    if (message.content_hash === hashCanonical(content)) return content
    if (!isMeant || task.status !== 'open') return (await put.ifSent(content)) ? content : undefined
    await put(content)
    return content
  }

  /** Shows an answer while the run writes it. Returns its final state. */
  async function showAnswer(
    { inWorkspace, message, signal }: Showing<'slack'>,
    put: PutMessage,
  ): Promise<SlackMessage> {
    const jobId = message.job_id ?? ''
    if (message.external_id === null) await put(PLACEHOLDER)
    const written = await followAnswer({ inWorkspace, events, signal }, jobId, put)
    const consoleUrl = buildRunUrl(baseUrl, jobId)
    const content = await inWorkspace(tx => renderAnswer(tx, jobId, { written, consoleUrl }))
    if (message.content_hash !== hashCanonical(content)) await put(content)
    return content
  }

  async function show(showing: Showing<'slack'>): Promise<Shown> {
    const { channel, message, notice, inWorkspace, signal } = showing
    const slack = openSlack(channel.credentials.bot_token, signal)
    const put = createPutMessage(slack, message, placed => inWorkspace(tx => saveSent(tx, message.id, placed)))
    const fixed = notice ? renderNotice(notice) : message.reply === null ? undefined : renderText(message.reply)
    if (fixed) {
      await put(fixed)
      return { hash: hashCanonical(fixed) }
    }
    const content = await (message.intervention_id === null ? showAnswer(showing, put) : showTask(showing, put))
    return content ? { hash: hashCanonical(content) } : 'skipped'
  }

  return showing =>
    show(showing).catch((error: unknown) => {
      const failure = describeSlackError(error)
      throw failure ? new ChannelError(failure, error) : error
    })
}
