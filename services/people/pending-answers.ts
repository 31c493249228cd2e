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

/** An answer that is not taken within this time becomes visible as pending. */
const SHOWN_AFTER_MS = 1_000
/** Limit for the projection of a taken answer. */
const MAX_RECORDING_MS = 5_000
const FIRST_READ_MS = 10
const MAX_BETWEEN_READS_MS = 100

/** Attempts by workers. */
const POLL_MS = 1_000
const LEASE_SECONDS = 15
const MAX_AT_ONCE = 10

/**
 * Sends an answer to its run. An answer that is not taken in time may still count, so it is kept, and workers send it until
 * the run takes or refuses it. When the reply comes, every reader sees the answer.
 * @returns undefined while the answer may still count
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
      // The run has it, so it counts even while Postgres is away.
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

/** Returns whether readers see a change of an intervention. One that is gone was purged. */
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

const isVoteRecorded = (
  { votes, decision }: InterventionRecord,
  { by, at, decided: isDecided }: AnswerReply,
): boolean =>
  (!isDecided || decision !== null) && votes.some(vote => vote.by === by && Date.parse(vote.at) === Date.parse(at))

/**
 * Throws Conflict while another answer may still count: a second one of the same person, or of anyone where one decision is
 * enough.
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
    `The answer "${action}" of ${by} from ${at} is pending. It is decided as soon as a worker is up; only then another answer can be given.`,
  )
}

/** Sends pending answers. Several processes may run it. */
export function createAnswerDelivery({ db, temporal, log }: Deps & { log: Logger }): Loop {
  async function deliver(answer: LeasedAnswer): Promise<void> {
    const { workspace_id, intervention_id, job_id } = answer
    try {
      const reply = await sendAnswer({ db, temporal }, { ...answer, input: answer.input as unknown as AnswerInput })
      if (!reply) return
    } catch (error) {
      if (!findUpdateFailure(error) && !(error instanceof WorkflowNotFoundError)) throw error
      log.warn({ job_id, intervention_id, reason: findUpdateFailure(error)?.message }, 'a pending answer was refused')
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
