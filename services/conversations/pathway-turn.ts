import type { Database, Tx } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PinnedPathway } from '../../domain/pathway/definition.ts'
import type { Principal } from '../../domain/principal.ts'
import { claimKey } from '../idempotency.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'
import { checkInput, launchOf } from '../jobs/start.ts'
import type { Idempotency } from '../jobs/types.ts'
import { pinRun, resolvePinned } from '../pathways/pinning.ts'
import { missingReference } from '../pathways/references.ts'
import { openTurn, turnOf } from './turns.ts'
import type { Accepted, Speech } from './types.ts'

interface Deps {
  db: Database
  launcher: Launcher
  idempotencyHours: number
}

type StartPathwayTurn = (
  principal: Principal,
  ref: string,
  speech: Speech,
  idempotency?: Idempotency,
) => Promise<Accepted>

/** A pathway that answers in a thread: its input is `{message, trace_id}`, and what it gives is the answer. */
export function createPathwayTurn({ db, launcher, idempotencyHours }: Deps): StartPathwayTurn {
  async function prepare(tx: Tx, principal: Principal, pinned: PinnedPathway, speech: Speech, job: JobRef) {
    const known = await findJob(tx, job.job_id)
    const target = speech.receptor_id
      ? { type: 'receptor' as const, id: speech.receptor_id }
      : { type: 'pathway' as const, id: pinned.id ?? '' }
    const trace = known ? turnOf(known) : await openTurn(tx, principal, job.job_id, speech, target)
    const input: JsonObject = { message: speech.messages.at(-1)?.content ?? '', trace_id: trace.trace_id }
    checkInput(pinned, input)
    const run = { ...(await pinRun(tx, principal, pinned)), job, input, requester: principal.actor, trace }
    const launch: Launch = { ...launchOf(run), trace, receptor_id: speech.receptor_id }
    if (!known) await launcher.accept(tx, principal, launch)
    return { launch, isNew: !known, trace_id: trace.trace_id }
  }

  return async (principal, ref, speech, idempotency) => {
    if (speech.messages.length > 1) throw new ValidationError('A pathway accepts one message at a time')
    const { launch, isNew, trace_id } = await db.inWorkspace(principal.workspace_id, async tx => {
      const pinned = await resolvePinned(tx, ref, principal)
      if (!pinned) throw await missingReference(tx, 'pathways', ref, principal)
      const drawn = launcher.refFor(principal, pinned.slug)
      const job_id = idempotency
        ? (await claimKey(tx, idempotency, drawn.job_id, idempotencyHours)).target
        : drawn.job_id
      return prepare(tx, principal, pinned, speech, { ...drawn, job_id, root_job_id: job_id })
    })
    await launcher.begin(launch, { isNew, canBeSentAgain: idempotency !== undefined })
    return { job_id: launch.job.job_id, trace_id, status: 'pending' }
  }
}
