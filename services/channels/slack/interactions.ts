import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Workspace } from '../../../data/access/access-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import type { Answer } from '../../../domain/people/intervention.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { AppError, Conflict, Forbidden } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { PlansService } from '../../access/plans.ts'
import type { JobsService } from '../../runs/jobs.ts'
import { type FoundIntervention, getIntervention } from '../../runs/find.ts'
import { findChannelPrincipal } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import type { OpenSlack } from './api.ts'
import { type ButtonValue, OPEN_FORM } from './task-blocks.ts'
import { type FieldState, placeProblems, readSubmission, renderTaskModal, TASK_MODAL } from './task-modal.ts'
import { escapeText } from './text.ts'

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

/** Handles a click or a submitted modal. Returns the body of the response. */
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
}

const buttonValue = z.object({
  interventionId: z.string(),
  shown_hash: z.string(),
}) satisfies z.ZodType<ButtonValue>

const DIRECT_ACTIONS = z.enum(['approve', 'reject', 'decline_questions'])

export function createSlackInteractions({ db, jobs, plans, openSlack }: Deps): HandleSlackInteraction {
  /** Finds the task that a message showed. Throws Conflict if the task has changed since. */
  const findTask = (principal: Principal, { interventionId, shown_hash }: ButtonValue): Promise<FoundIntervention> =>
    db.inWorkspace(principal.workspace_id, async tx => {
      requirePermission(principal, 'interventions:answer')
      const task = await getIntervention(tx, principal, interventionId)
      if (task.record.shown_hash !== shown_hash)
        throw new Conflict('The task has changed since this message: open it in Ganglion')
      return task
    })

  async function findPrincipal(
    workspace: Workspace,
    channel: OpenedChannel<'slack'>,
    user: string,
  ): Promise<Principal> {
    const principal = await db.inWorkspace(workspace.id, tx => findChannelPrincipal(tx, workspace, channel, user))
    if (!principal)
      throw new Forbidden('Your account is not linked to a member. Create a link code in Ganglion, and send it to me.')
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
  ): Promise<string | undefined> {
    const value = buttonValue.safeParse(parseJson(action?.value))
    if (!action || !value.success) return undefined
    const task = await findTask(principal, value.data)
    if (action.action_id === OPEN_FORM) {
      await slack.views.open({ trigger_id, view: renderTaskModal(task.record) })
      return undefined
    }
    const kind = DIRECT_ACTIONS.safeParse(action.action_id)
    if (!kind.success) return undefined
    const { pending } = await answer(principal, task, { action: kind.data })
    return pending ? 'Your answer was received. It counts as soon as the run can process it.' : undefined
  }

  async function handleSubmission(principal: Principal, { view }: Submission): Promise<JsonObject | undefined> {
    const value = buttonValue.safeParse(parseJson(view.private_metadata))
    if (view.callback_id !== TASK_MODAL || !value.success) return undefined
    const task = await findTask(principal, value.data)
    try {
      await answer(principal, task, readSubmission(task.record, view.state.values))
      return { response_action: 'clear' }
    } catch (error) {
      if (!(error instanceof AppError) || !error.details) throw error
      return { response_action: 'errors', errors: placeProblems(task.record, error.details) }
    }
  }

  return async (workspace, channel, interaction) => {
    const { id: user } = interaction.user
    const slack = openSlack(channel.credentials.bot_token)
    try {
      const principal = await findPrincipal(workspace, channel, user)
      if (interaction.type === 'view_submission') return await handleSubmission(principal, interaction)
      await tell(slack, interaction, await handleClick(principal, slack, interaction))
      return undefined
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      if (interaction.type === 'view_submission') return refuseSubmission(error.message)
      await tell(slack, interaction, error.message)
      return undefined
    }
  }
}

/** Posts a text that only the person who clicked sees. */
async function tell(slack: WebClient, { channel, user: { id: user } }: Click, text: string | undefined): Promise<void> {
  if (text !== undefined) await slack.chat.postEphemeral({ channel: channel?.id ?? user, user, text: escapeText(text) })
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

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
