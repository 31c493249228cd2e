import type { Workspace } from '../../../data/access/access-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { buildGuestName, isPrincipalName, type Principal } from '../../../domain/access/principal.ts'
import { isOpenToAnyone } from '../../../domain/channels/binding.ts'
import { readAnswer } from '../../../domain/channels/email/task-answers.ts'
import type { Answer } from '../../../domain/people/intervention.ts'
import { isRefusal, isTransient } from '../../../domain/shared/errors.ts'
import type { SharedTask } from '../../../contract/access/sharing.ts'
import { buildGuestPrincipal } from '../../access/callers.ts'
import { listTasks } from '../../access/sharing-tasks.ts'
import type { JobsService } from '../../runs/jobs.ts'
import type { Binding } from '../bindings.ts'
import { findMakers } from '../find-principal.ts'
import type { OpenedChannel } from '../open-channel.ts'
import { asksTask } from './message-id.ts'
import type { ParsedMail } from './parse.ts'

/** Returns the principal of a sender without a linked account, if the receptor answers anyone. */
export async function findGuest(
  tx: Tx,
  workspace: Workspace,
  channel: OpenedChannel,
  { binding, brain_id }: Binding,
  from: string,
): Promise<Principal | undefined> {
  const actor = buildGuestName(from)
  if (!isOpenToAnyone(binding) || !isPrincipalName(actor)) return undefined
  return buildGuestPrincipal(workspace, await findMakers(tx, channel), { actor, brain_id })
}

type Jobs = Pick<JobsService, 'interventions' | 'list' | 'answer'>

export const CLOSED = 'The question is closed.'

const WAITING = 'The conversation is waiting for your answer. Reply to the mail that contains the question.'

/**
 * Handles a guest's mail in a thread with tasks of the guest. Only a reply to the mail that asks for an answer is the
 * answer. Returns the text to reply, null for an accepted answer, and undefined for any other message.
 */
export async function answerTask(
  jobs: Jobs,
  guest: Principal,
  traceId: string,
  { received, text }: ParsedMail,
): Promise<string | null | undefined> {
  const tasks = await listTasks(jobs, guest, traceId)
  const task = tasks.find(({ interventionId }) => received.references.some(id => asksTask(id, interventionId)))
  const answer = task && readAnswer(task, text)
  if (task?.status === 'open' && answer)
    return 'problem' in answer ? answer.problem : sendAnswer(jobs, guest, task, answer)
  // The answer was accepted, but the process ended before it could record that.
  if (task?.answer && answer && 'action' in answer && isSame(task.answer, answer)) return null
  return tasks.some(({ status }) => status === 'open') ? WAITING : undefined
}

async function sendAnswer(
  jobs: Jobs,
  guest: Principal,
  { job_id, interventionId }: SharedTask,
  answer: Answer,
): Promise<string | null> {
  try {
    await jobs.answer(guest, job_id, interventionId, answer)
    return null
  } catch (error) {
    if (!isRefusal(error) || isTransient(error)) throw error
    const details = (error.details ?? []).map(({ pointer, message }) => `${pointer.split('/').at(-1)} ${message}`)
    return details.length === 0
      ? CLOSED
      : ['The answer was not accepted:', ...details, 'Reply to the mail that contains the question again.'].join('\n')
  }
}

const isSame = ({ action, data, answers }: Answer, other: Answer): boolean =>
  hashCanonical([action, data ?? null, answers ?? null]) ===
  hashCanonical([other.action, other.data ?? null, other.answers ?? null])
