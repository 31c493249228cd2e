import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { findIntervention, type InterventionRecord } from '../../data/people/interventions-store.ts'
import {
  deletePendingAnswer,
  leasePendingAnswers,
  type LeasedAnswer,
  savePendingAnswer,
} from '../../data/people/pending-answers-store.ts'
import { Conflict, Unavailable } from '../../domain/shared/errors.ts'
import type { AnswerReply } from '../../domain/people/intervention.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { type AnswerInput, inputUpdate } from '../../workflows/shared/run/messages.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createLoop, type Loop } from '../shared/loop.ts'
import { findUpdateFailure, sendWhenAsked } from '../runs/run-messages.ts'

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

/**
 * Sends an answer to its run. If the run does not accept the answer in time, the answer is stored. Workers then
 * resend it until the run accepts or rejects it. Once this function returns a reply, every reader sees the answer.
 * @returns undefined while the run may still accept the answer
 */
export async function sendAnswer(
  { db, temporal }: Deps,
  answer: Omit<LeasedAnswer, 'input'> & { input: AnswerInput },
): Promise<AnswerReply | undefined> {
  const { workspace_id, job_id, update_id, input } = answer
  const inWorkspace = <T>(work: Parameters<typeof db.inWorkspace<T>>[1]) => db.inWorkspace(workspace_id, work)
  const row = { ...answer, input: input as unknown as JsonValue }
  const save = (seconds = 0) => inWorkspace(tx => savePendingAnswer(tx, row, seconds))
  const remove = () => inWorkspace(tx => deletePendingAnswer(tx, answer))

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
      return undefined
    }
    if (isLate) await remove()
    return reply
  } catch (error) {
    pendingReply.catch(() => undefined)
    if (error instanceof Unavailable) {
      await save()
      return undefined
    }
    if (isLate) await remove()
    throw error
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

/** Resends pending answers. Several processes may run this loop. */
export function createAnswerDelivery({ db, temporal, log }: Deps & { log: Logger }): Loop {
  async function deliver(answer: LeasedAnswer): Promise<void> {
    const { workspace_id, intervention_id, job_id } = answer
    try {
      const reply = await sendAnswer({ db, temporal }, { ...answer, input: answer.input as unknown as AnswerInput })
      if (!reply) return
    } catch (error) {
      if (!findUpdateFailure(error) && !(error instanceof WorkflowNotFoundError)) throw error
      log.warn({ job_id, intervention_id, reason: findUpdateFailure(error)?.message }, 'a pending answer was rejected')
    }
    await db.inWorkspace(workspace_id, tx => deletePendingAnswer(tx, answer))
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
