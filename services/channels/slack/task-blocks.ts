import type { Button, KnownBlock } from '@slack/web-api'
import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import type { InterventionAction } from '../../../domain/people/intervention.ts'
import { describeContent, describeState, describeStatus, readTitle, WITHDRAWN } from '../describe-task.ts'
import { canAnswerInModal, isToolApproval } from './task-modal.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildPageLink, escapeText, MAX_SECTION_CHARS, MAX_TEXT_CHARS, plain, shortenEscaped } from './text.ts'

/** A message as Slack shows it. `text` is the notification. */
export interface SlackMessage {
  text: string
  blocks: KnownBlock[]
}

/** The value of a button: the task and the hash of the shown content. */
export interface ButtonValue {
  interventionId: string
  shown_hash: string
}

/** The button that opens the form of a task. The other buttons are named after their action. */
export const OPEN_FORM = 'open_form'

/** Slack allows 12,000 characters of Markdown in a message, and 3,000 in other texts. */
const MAX_MARKDOWN_CHARS = 8_000
const MAX_CONTEXT_CHARS = 2_500
const MAX_TITLE_CHARS = 150

/** Renders a text that is not Markdown, so that it cannot mention people or contain links. */
export const renderText = (text: string): SlackMessage => ({
  text: shorten(escapeText(text), MAX_TEXT_CHARS),
  blocks: [{ type: 'section', text: plain(text, MAX_SECTION_CHARS) }],
})

/** Replaces the message of a task that no longer goes to its recipient. */
export const WITHDRAWN_TASK = renderText(WITHDRAWN)

/**
 * Renders a task in its current state. An open task has buttons if the message shows everything that an answer
 * covers. A longer task only links to its page.
 * @param consoleUrl the page of the task, absent without a public URL
 */
export function renderTask(task: InterventionRecord, consoleUrl?: string): SlackMessage {
  const { status } = task
  const title = readTitle(task)
  const text = describeContent(task)
  const context = task.context === null ? '' : JSON.stringify(task.context, null, 2)
  const isComplete =
    title.length <= MAX_TITLE_CHARS &&
    escapeText(text).length <= MAX_MARKDOWN_CHARS &&
    context.length <= MAX_CONTEXT_CHARS
  const blocks: KnownBlock[] = [
    { type: 'header', text: { type: 'plain_text', text: shorten(title, MAX_TITLE_CHARS), emoji: false } },
    ...(text ? [markdown(text)] : []),
    ...(context ? [preformatted(shorten(context, MAX_CONTEXT_CHARS))] : []),
    note(describeState(task, isComplete)),
  ]
  const buttons = [
    ...(status === 'open' && isComplete ? renderButtons(task) : []),
    ...(consoleUrl === undefined ? [] : [buildPageLink(consoleUrl)]),
  ]
  if (buttons.length > 0) blocks.push({ type: 'actions', elements: buttons })
  return { text: shorten(escapeText(`${title}: ${describeStatus(task)}`), MAX_TEXT_CHARS), blocks }
}

function renderButtons(task: InterventionRecord): Button[] {
  const value = JSON.stringify({ interventionId: task.id, shown_hash: task.shown_hash } satisfies ButtonValue)
  const button = (text: string, action_id: InterventionAction | typeof OPEN_FORM, style?: 'primary' | 'danger') => ({
    type: 'button' as const,
    text: { type: 'plain_text' as const, text },
    action_id,
    value,
    ...(style && { style }),
  })
  const isInModal = canAnswerInModal(task)
  if (task.kind !== 'approval')
    return [
      ...(isInModal ? [button('Answer', OPEN_FORM, 'primary')] : []),
      ...(task.kind === 'questions' ? [button('Decline', 'decline_questions')] : []),
    ]
  const reject = button('Reject', 'reject', 'danger')
  // The approval of a tool call covers the proposed arguments. Other approvals need the required fields of their form.
  if (task.form && !isToolApproval(task))
    return isInModal ? [button('Approve', OPEN_FORM, 'primary'), reject] : [reject]
  return [
    button('Approve', 'approve', 'primary'),
    reject,
    ...(task.form && isInModal ? [button('Edit and approve', OPEN_FORM)] : []),
  ]
}

const markdown = (text: string): KnownBlock => ({ type: 'markdown', text: shortenEscaped(text, MAX_MARKDOWN_CHARS) })

const note = (text: string): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'plain_text', text: shorten(text, MAX_CONTEXT_CHARS), emoji: false }],
})

const preformatted = (text: string): KnownBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
})
