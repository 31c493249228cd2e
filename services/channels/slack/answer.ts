import { findJob, type JobRecord } from '../../../data/runs/jobs-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { JobEventSource } from '../../../domain/runs/job-event-source.ts'
import { describeAnswer } from '../describe-answer.ts'
import type { SlackMessage } from './task-blocks.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildPageLink, escapeText, MAX_TEXT_CHARS, shortenEscaped } from './text.ts'

/** Slack limits the updates per minute of all messages in a workspace. */
const UPDATE_MS = 3_000
/** Time for which a run is followed. The end of the run shows the whole answer. */
const MAX_FOLLOW_MS = 60_000
/** Slack allows 12,000 characters of Markdown in a message. */
const MAX_MARKDOWN_CHARS = 10_000

function render(answer: string): SlackMessage {
  const text = answer.trim() === '' ? 'The answer is empty.' : answer
  return {
    text: escapeText(shorten(text, MAX_TEXT_CHARS)),
    blocks: [{ type: 'markdown', text: shortenEscaped(text, MAX_MARKDOWN_CHARS) }],
  }
}

/** Shown until the run writes its answer. */
export const PLACEHOLDER: SlackMessage = render('…')

interface Deps {
  inWorkspace: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  events: JobEventSource
  signal: AbortSignal
}

/**
 * Shows the text of an agent's answer while the run writes it, until the run ends or waits, but not for long. A
 * failed update is skipped, because a later one shows the whole text. Returns the text so far.
 */
export async function followAnswer(
  { inWorkspace, events, signal }: Deps,
  jobId: string,
  put: (content: SlackMessage) => Promise<void>,
): Promise<string> {
  const job = await inWorkspace(tx => findJob(tx, jobId))
  if (!job || !isRunning(job)) return ''
  const subscription = await events.subscribe(jobId)
  let text = ''
  let isChanged = false
  let updating = Promise.resolve()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()

  const update = () => {
    if (!isChanged) return
    isChanged = false
    updating = updating.then(() => put(render(text))).catch(() => undefined)
  }

  const receive = (event: JobEvent): void => {
    if (event.type === 'status' && (event.status === 'waiting' || event.status === 'paused')) return end()
    if (job.kind !== 'neuron' || 'job_id' in event) return
    if (event.type === 'token') text += event.token
    // Each call of the model writes a new text. The last one is the answer.
    else if (event.type === 'attempt_reset' || (event.type === 'node' && event.status === 'running')) text = ''
    else return
    isChanged = text !== ''
  }

  const timer = setInterval(update, UPDATE_MS)
  const timeout = setTimeout(end, MAX_FOLLOW_MS)
  signal.addEventListener('abort', () => end(), { once: true })
  try {
    subscription.start({
      onEvent: ({ json, ends }) => {
        receive(JSON.parse(json) as JobEvent)
        if (ends) end()
        return true
      },
      whenDrained: () => Promise.resolve(),
      onGap: async ({ ends }) => {
        if (ends) end()
        await Promise.resolve()
      },
      onCaughtUp: () => Promise.resolve(),
      onAlreadyEnded: () => end(),
    })
    await ended
  } finally {
    clearInterval(timer)
    clearTimeout(timeout)
    subscription.close()
    await updating
  }
  signal.throwIfAborted()
  return text
}

const isRunning = ({ status }: JobRecord): boolean => status === 'pending' || status === 'running'

/**
 * Renders the current state of a run's answer. A longer answer ends with a link to the run.
 * @param written the text that a running agent has written so far
 */
export async function renderAnswer(
  tx: Tx,
  jobId: string,
  { written, consoleUrl }: { written: string; consoleUrl?: string },
): Promise<SlackMessage> {
  const job = await findJob(tx, jobId)
  const text = job ? describeAnswer(job, written) : 'The run was removed.'
  const isComplete = escapeText(text).length <= MAX_MARKDOWN_CHARS
  const message = render(text)
  if (consoleUrl === undefined || (isComplete && job?.status === 'completed')) return message
  return { ...message, blocks: [...message.blocks, { type: 'actions', elements: [buildPageLink(consoleUrl)] }] }
}
