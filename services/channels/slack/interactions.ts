import { once } from 'node:events'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Workspace } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import type { Answer } from '../../../domain/people/intervention.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { AppError, Conflict, Forbidden, isRefusal } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { PlansService } from '../../access/plans.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { type FoundIntervention, getIntervention } from '../../runs/find.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import type { OpenSlack } from './api.ts'
import { type ButtonValue, OPEN_FORM } from './task-blocks.ts'
import {
  type FieldState,
  placeProblems,
  readSubmission,
  renderTaskModal,
  type Target,
  TASK_MODAL,
} from './task-modal.ts'
import { escapeText, HELP_UNLINKED, parseJson } from './text.ts'

/** A click on a button of a task. https://docs.slack.dev/reference/interaction-payloads */
interface Click {
  type: 'block_actions'
  trigger_id: string
  user: { id: string }
  channel?: { id: string }
  actions: { action_id: string; value?: string }[]
}

interface Submission {
  type: 'view_submission'
  user: { id: string }
  view: { callback_id: string; private_metadata: string; state: { values: Record<string, Record<string, FieldState>> } }
}

export type SlackInteraction = Click | Submission

/**
 * Handles a click or a submitted modal. Returns the body of the response in time for Slack. If the result is late, the
 * person is told afterwards.
 */
export type HandleSlackInteraction = (
  workspace: Workspace,
  channel: OpenedChannel<'slack'>,
  interaction: SlackInteraction,
) => Promise<JsonObject | undefined>

interface Deps {
  db: Database
  jobs: Pick<JobsService, 'answer'>
  plans: Pick<PlansService, 'checkWrite'>
  openSlack: OpenSlack
  log: Logger
}

/** Slack discards an interaction that is not answered within 3 s. */
const ANSWER_MS = 2_000

const buttonValue = z.object({
  interventionId: z.string(),
  shown_hash: z.string(),
}) satisfies z.ZodType<ButtonValue>

const targetValue = buttonValue.extend({ conversation: z.string() }) satisfies z.ZodType<Target>

const DIRECT_ACTIONS = z.enum(['approve', 'reject', 'decline_questions'])

export function createSlackInteractions({ db, jobs, plans, openSlack, log }: Deps): HandleSlackInteraction {
  /** Finds the task that a message showed. Throws Conflict if the task has changed since. */
  const findTask = (principal: Principal, { interventionId, shown_hash }: ButtonValue): Promise<FoundIntervention> =>
    db.inWorkspace(principal.workspace_id, async tx => {
      requirePermission(principal, 'interventions:answer')
      const task = await getIntervention(tx, principal, interventionId)
      if (task.record.shown_hash !== shown_hash)
        throw new Conflict('The task has changed since this message was sent: open it in Ganglion')
      return task
    })

  async function findPrincipal(
    workspace: Workspace,
    channel: OpenedChannel<'slack'>,
    user: string,
  ): Promise<Principal> {
    const principal = await db.inWorkspace(workspace.id, tx => findChannelPrincipal(tx, workspace, channel, user))
    if (!principal) throw new Forbidden(HELP_UNLINKED)
    return principal
  }

  async function answer(principal: Principal, { record }: FoundIntervention, given: Answer) {
    await plans.checkWrite(principal)
    return jobs.answer(principal, record.job_id, record.id, given)
  }

  /** Returns what only the person should read. Otherwise, the message shows the result. */
  async function handleClick(
    principal: Principal,
    slack: WebClient,
    { trigger_id, actions: [action] }: Click,
    { conversation, ...value }: Target,
  ): Promise<string | undefined> {
    const task = await findTask(principal, value)
    if (action?.action_id === OPEN_FORM) {
      await slack.views.open({ trigger_id, view: renderTaskModal(task.record, conversation) })
      return undefined
    }
    const kind = DIRECT_ACTIONS.safeParse(action?.action_id)
    if (!kind.success) return undefined
    const { pending } = await answer(principal, task, { action: kind.data })
    return pending ? PENDING : undefined
  }

  /** Returns the problems that the modal shows at its fields, or what only the person should read. */
  async function handleSubmission(
    principal: Principal,
    { view }: Submission,
    target: Target,
  ): Promise<{ errors?: Record<string, string>; text?: string }> {
    const task = await findTask(principal, target)
    try {
      const { pending } = await answer(principal, task, readSubmission(task.record, view.state.values))
      return pending ? { text: PENDING } : {}
    } catch (error) {
      if (!(error instanceof AppError) || !error.details) throw error
      const errors = placeProblems(task.record, error.details)
      return { errors, text: Object.values(errors).join('\n') }
    }
  }

  /** Handles an interaction, and returns the response before Slack discards it. */
  async function handleInTime(
    workspace: Workspace,
    channel: OpenedChannel<'slack'>,
    interaction: SlackInteraction,
    target: Target,
  ): Promise<JsonObject | undefined> {
    const { id: user } = interaction.user
    const slack = openSlack(channel.credentials.bot_token)
    const deadline = AbortSignal.timeout(ANSWER_MS)

    /** Posts a text that only the person sees. */
    const tell = (text: string) =>
      slack.chat.postEphemeral({ channel: target.conversation, user, text: escapeText(text) })

    async function handle(): Promise<JsonObject | undefined> {
      try {
        const principal = await findPrincipal(workspace, channel, user)
        if (interaction.type === 'block_actions') {
          const text = await handleClick(principal, slack, interaction, target)
          if (text !== undefined) await tell(text)
          return undefined
        }
        const { errors, text } = await handleSubmission(principal, interaction, target)
        if (errors && !deadline.aborted) return { response_action: 'errors', errors }
        if (text !== undefined) await tell(text)
        return CLOSE_MODAL
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (interaction.type === 'view_submission' && !deadline.aborted) return refuseSubmission(error.message)
        await tell(error.message)
        return undefined
      }
    }

    const handling = handle()
    const isLate = await Promise.race([handling.then(() => false), once(deadline, 'abort').then(() => true)])
    if (!isLate) return handling
    void handling
      .catch(async (err: unknown) => {
        log.error({ err, workspace_id: workspace.id }, 'failed to handle an interaction in Slack')
        await tell('Something went wrong. If the task is still open, answer it again.')
      })
      .catch((err: unknown) => log.warn({ err, workspace_id: workspace.id }, 'failed to send a message to Slack'))
    return interaction.type === 'view_submission' ? CLOSE_MODAL : undefined
  }

  return async (workspace, channel, interaction) => {
    const target = findTarget(interaction)
    return target && handleInTime(workspace, channel, interaction, target)
  }
}

const PENDING = 'Your answer was received. It counts as soon as the run can process it.'

const CLOSE_MODAL: JsonObject = { response_action: 'clear' }

/** Returns the task that an interaction answers, or undefined for another interaction. */
function findTarget(interaction: SlackInteraction): Target | undefined {
  if (interaction.type === 'view_submission') {
    const { callback_id, private_metadata } = interaction.view
    return callback_id === TASK_MODAL ? targetValue.safeParse(parseJson(private_metadata)).data : undefined
  }
  const { channel, user, actions } = interaction
  const value = buttonValue.safeParse(parseJson(actions[0]?.value)).data
  return value && { ...value, conversation: channel?.id ?? user.id }
}

/** Replaces the modal by the reason of the refusal. */
const refuseSubmission = (text: string): JsonObject => ({
  response_action: 'update',
  view: {
    type: 'modal',
    title: { type: 'plain_text', text: 'Not accepted' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'plain_text', text } }],
  },
})
