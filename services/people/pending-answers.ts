import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findIntervention, type InterventionRecord } from '../../data/people/interventions-store.ts'
import {
  deletePendingAnswer,
  leasePendingAnswers,
  type LeasedAnswer,
  savePendingAnswer,
} from '../../data/people/pending-answers-store.ts'
import { Conflict, Unavailable } from '../../domain/shared/errors.ts'
import { evaluateAnswer } from '../../domain/people/answering.ts'
import type { AnswerReply } from '../../domain/people/intervention.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { type AnswerInput, inputUpdate } from '../../workflows/shared/run/messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createLoop, type Loop } from '../shared/loop.ts'
import { findUpdateFailure, sendWhenAsked } from '../runs/run-messages.ts'
import { markClosed, toOpenIntervention } from './open-intervention.ts'

interface Deps {
  db: Database
  temporal: Temporal
}

/** An answer that the run does not accept within this time is shown as pending. */
const SHOWN_AFTER_MS = 1_000
/** Time limit for projecting an accepted answer. */
const MAX_RECORDING_MS = 5_000
const FIRST_READ_MS = 10
const MAX_BETWEEN_READS_MS = 100

/** Interval between delivery attempts. */
const POLL_MS = 1_000
const LEASE_SECONDS = 15
const MAX_AT_ONCE = 10

/** The result of an attempt. Without a reply and an error, the answer is stored, and the run may still accept it. */
interface Attempt {
  reply?: AnswerReply
  error?: unknown
  isStored: boolean
}

/**
 * Sends an answer to its run. If the run does not accept the answer in time, the answer is stored. Workers then
 * resend it until the run accepts or rejects it. Once this function returns a reply, every reader sees the answer.
 * @returns undefined while the run may still accept the answer
 */
export async function sendAnswer(
  deps: Deps,
  answer: Omit<LeasedAnswer, 'input'> & { input: AnswerInput },
): Promise<AnswerReply | undefined> {
  const { reply, error, isStored } = await attempt(deps, answer)
  const isSettled = reply !== undefined || error !== undefined
  if (isSettled && isStored) await deps.db.inWorkspace(answer.workspace_id, tx => deletePendingAnswer(tx, answer))
  if (error !== undefined) throw error
  return reply
}

async function attempt(
  { db, temporal }: Deps,
  answer: Omit<LeasedAnswer, 'input'> & { input: AnswerInput },
): Promise<Attempt> {
  const { workspace_id, job_id, update_id, input } = answer
  const row = { ...answer, input: input as unknown as JsonValue }
  const save = (seconds = 0) => db.inWorkspace(workspace_id, tx => savePendingAnswer(tx, row, seconds))

  const pendingReply = sendWhenAsked(temporal, job_id, inputUpdate, input, update_id)
  const isLate = await Promise.race([
    pendingReply.then(
      () => false,
      () => false,
    ),
    sleep(SHOWN_AFTER_MS, true, { ref: false }),
  ])
  try {
    if (isLate) await save(LEASE_SECONDS)
    const reply = await pendingReply
    const { interventionId } = reply
    const isRecorded = (record: InterventionRecord) => isVoteRecorded(record, reply)
    if (!(await waitUntilRecorded(db, workspace_id, interventionId, isRecorded).catch(() => false))) {
      // The run has accepted the answer, so the answer counts even if Postgres is unavailable.
      await save().catch(() => undefined)
      return { isStored: true }
    }
    return { reply, isStored: isLate }
  } catch (error) {
    pendingReply.catch(() => undefined)
    if (!(error instanceof Unavailable)) return { error, isStored: isLate }
    await save()
    return { isStored: true }
  }
}

/**
 * Returns whether readers can already see a change to an intervention. If the intervention is missing, it was purged.
 */
export async function waitUntilRecorded(
  db: Database,
  workspaceId: string,
  interventionId: string,
  isRecorded: (record: InterventionRecord) => boolean,
): Promise<boolean> {
  const until = Date.now() + MAX_RECORDING_MS
  for (let pause = FIRST_READ_MS; ; pause = Math.min(pause * 2, MAX_BETWEEN_READS_MS)) {
    const record = await db.inWorkspace(workspaceId, tx => findIntervention(tx, interventionId))
    if (!record || isRecorded(record)) return true
    if (Date.now() >= until) return false
    await sleep(pause)
  }
}

/** Each author has at most one vote. Its time differs if the run got the answer again after a restore. */
const isVoteRecorded = ({ votes, decision }: InterventionRecord, { by, decided: isDecided }: AnswerReply): boolean =>
  (!isDecided || decision !== null) && votes.some(vote => vote.by === by)

/**
 * Throws Conflict while the run may still accept another answer: from the same person, or from anyone if a single
 * decision is enough.
 */
export function refuseSecondAnswer(
  { pending_answers, quorum }: Pick<InterventionRecord, 'pending_answers' | 'quorum'>,
  { actor, update_id }: Pick<LeasedAnswer, 'actor' | 'update_id'>,
): void {
  const others = (pending_answers ?? []).filter(pending => pending.update_id !== update_id)
  const other = others.find(({ by }) => by === actor || quorum === 1)
  if (!other) return
  const { action, by, at } = other
  throw new Conflict(
    `The answer "${action}" by ${by} from ${at} is pending until a worker is available. You can answer again only after it is resolved.`,
  )
}

interface DeliveryDeps extends Deps {
  /** Called in the transaction that removes a rejected answer. Returns whether there is a message to send. */
  onRejected: (tx: Tx, answer: LeasedAnswer, reason: string) => Promise<boolean>
  /** Called when messages are due. */
  onMessages: () => void
  log: Logger
}

/** Resends pending answers. Several processes may run this loop. */
export function createAnswerDelivery({ db, temporal, onRejected, onMessages, log }: DeliveryDeps): Loop {
  async function deliver(answer: LeasedAnswer): Promise<void> {
    const { workspace_id, intervention_id, job_id } = answer
    const input = answer.input as unknown as AnswerInput
    const { reply, error } = await attempt({ db, temporal }, { ...answer, input })
    if (!reply && error === undefined) return
    const reason = error === undefined ? undefined : await findRejection(workspace_id, input, error)
    if (reason !== undefined) log.warn({ job_id, intervention_id, reason }, 'a pending answer was rejected')
    const hasMessage = await db.inWorkspace(
      workspace_id,
      async tx => (await deletePendingAnswer(tx, answer)) && reason !== undefined && onRejected(tx, answer, reason),
    )
    if (hasMessage) onMessages()
  }

  /** Returns why a run rejected an answer, or undefined if it accepted the answer before it ended. Throws other errors. */
  async function findRejection(workspaceId: string, input: AnswerInput, error: unknown): Promise<string | undefined> {
    const failure = findUpdateFailure(error)
    if (failure) return failure.message
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const record = await db.inWorkspace(workspaceId, tx => findIntervention(tx, input.interventionId))
    const open = record && markClosed(toOpenIntervention(record))
    const verdict = evaluateAnswer(open, input, input.by, new Date().toISOString())
    return verdict.type === 'refused' ? verdict.message : undefined
  }

  return createLoop({
    name: 'sending pending answers',
    idleMs: POLL_MS,
    log,
    async round() {
      const due = await db.system(tx => leasePendingAnswers(tx, { limit: MAX_AT_ONCE, leaseSeconds: LEASE_SECONDS }))
      await Promise.all(due.map(deliver))
    },
  })
}
