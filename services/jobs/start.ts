import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { writeAudit } from '../../data/audit-store.ts'
import type { Database, Tx } from '../../data/database.ts'
import { claimIdempotency } from '../../data/idempotency-store.ts'
import { deleteJob, insertJob } from '../../data/jobs-store.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/errors.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { PinnedPathway } from '../../domain/pathway/definition.ts'
import { validateDefinition } from '../../domain/pathway/validate.ts'
import type { Principal } from '../../domain/principal.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { startAttributes } from '../../workflows/pathway/attributes.ts'
import { PATHWAY_WORKFLOW, type PathwayRunInput } from '../../workflows/pathway/messages.ts'
import { pinAll, resolvePinned } from '../pathways/pinning.ts'
import type { Temporal } from '../temporal.ts'
import type { Idempotency, JobsService, StartRequest } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  publisher: JobPublisher
  idempotencyHours: number
}

const FORGET_TRIES = 300
const FORGET_EVERY = 1_000

/** Slug of runs whose definition came with the request. */
const INLINE: Omit<PinnedPathway, 'definition'> = { id: null, slug: 'inline', version: null, title: 'Inline pathway' }

/**
 * Accepts a run: its row and the claim of its key are written in one transaction, then the workflow is started under
 * the job's own id, so whatever is sent again starts nothing twice.
 */
export function createStart({ db, temporal, publisher, idempotencyHours }: Deps): JobsService['start'] {
  return async (who, request, idempotency) => {
    const inline = request.pathway === undefined ? undefined : inlinePathway(request.pathway)
    const { run, isNew } = await db.inWorkspace(who.workspace_id, async tx => {
      const pinned = inline ?? (await storedPathway(tx, who, request))
      checkInput(pinned, request.input ?? null)
      const input = await prepare(tx, who, pinned, request)
      const job_id = idempotency ? await claim(tx, idempotency, input.job.job_id, idempotencyHours) : input.job.job_id
      input.job = { ...input.job, job_id, root_job_id: job_id }
      return { run: input, isNew: await write(tx, who, input, idempotency !== undefined) }
    })
    if (isNew) publisher.publish(run.job.job_id, { type: 'status', status: 'pending' })
    await launch(run, idempotency !== undefined)
    return { job_id: run.job.job_id, status: 'pending' }
  }

  async function launch(run: PathwayRunInput, canBeSentAgain: boolean): Promise<void> {
    const { job } = run
    try {
      await temporal.call(client =>
        client.workflow.start(PATHWAY_WORKFLOW, {
          taskQueue: temporal.taskQueue,
          workflowId: job.job_id,
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          args: [run],
          staticSummary: run.pathway.title,
          staticDetails: detailsOf(run),
          typedSearchAttributes: startAttributes(job.workspace_id, run.pathway),
        }),
      )
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return
      // With a key the same request comes again and finds its row; a row nobody asks for is repaired when read.
      if (!canBeSentAgain) void forgetUnstarted(job)
      throw error
    }
  }

  /** The call may have arrived although it failed, so the row goes only once Temporal says there is no such run. */
  async function forgetUnstarted(job: JobRef): Promise<void> {
    for (let tries = 0; tries < FORGET_TRIES; tries++) {
      await pause(FORGET_EVERY, undefined, { ref: false })
      // What is away, be it Temporal or Postgres, or not itself yet, is asked again.
      if (await isSettled(job).catch(() => false)) return
    }
  }

  /** True when the run is there after all, or its row is gone. */
  async function isSettled({ job_id, workspace_id }: JobRef): Promise<boolean> {
    try {
      await temporal.call(() => temporal.handle(job_id).describe())
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      await db.inWorkspace(workspace_id, tx => deleteJob(tx, job_id))
    }
    return true
  }
}

function inlinePathway(raw: unknown): PinnedPathway {
  const checked = validateDefinition(raw, { at: '/pathway' })
  if (!checked.ok) throw new ValidationError('The pathway has problems', checked.problems)
  return { ...INLINE, definition: checked.definition }
}

async function storedPathway(tx: Tx, who: Principal, { pathway_id }: StartRequest): Promise<PinnedPathway> {
  const pinned = pathway_id === undefined ? undefined : await resolvePinned(tx, pathway_id, who)
  if (!pinned) throw new NotFound('Pathway')
  return pinned
}

function checkInput({ definition }: PinnedPathway, input: JsonValue): void {
  if (!definition.input) return
  const compiled = compileSchema(definition.input)
  const problems = 'validate' in compiled ? compiled.validate(input, '/input') : compiled.problems
  if (problems.length > 0) throw new ValidationError('The input does not fit the pathway', problems)
}

async function prepare(tx: Tx, who: Principal, pinned: PinnedPathway, request: StartRequest): Promise<PathwayRunInput> {
  const { definition, ...pathway } = pinned
  const job_id = `${pathway.slug}-${randomUUID()}`
  return {
    job: { job_id, root_job_id: job_id, workspace_id: who.workspace_id, brain_id: who.brain_id },
    pathway,
    definition,
    subflows: await pinAll(tx, definition, who, pinned.id === null ? '/pathway' : ''),
    input: request.input ?? null,
    requester: who.actor,
  }
}

/** The job id this key stands for: a new one, or the one of the request that came first. */
async function claim(tx: Tx, { key, route, body_hash }: Idempotency, job_id: string, hours: number): Promise<string> {
  const answer = await claimIdempotency(tx, { key, route, body_hash, job_id, hours })
  if (answer.fresh) return job_id
  if (answer.body_hash !== body_hash) throw new Conflict('This Idempotency-Key was used for another request')
  return answer.job_id
}

/** Says whether the row is new: a request sent again finds its own. */
async function write(tx: Tx, who: Principal, run: PathwayRunInput, mayBeThere: boolean): Promise<boolean> {
  const { job, pathway, input } = run
  const added = insertJob(tx, {
    job_id: job.job_id,
    brain_id: job.brain_id ?? null,
    root_job_id: job.root_job_id,
    parent_key: null,
    pathway_id: pathway.id,
    pathway_version: pathway.version,
    title: pathway.title,
    requester: who.actor,
    input,
  })
  if (mayBeThere && !(await added)) return false
  const note = { actor: who.actor, action: 'job.start' as const, target: job.job_id, details: { key_id: who.key_id } }
  await Promise.all([added, writeAudit(tx, note)])
  return true
}

function detailsOf({ pathway, requester, job }: PathwayRunInput): string {
  const version = pathway.version === null ? 'inline' : `version ${pathway.version}`
  return `Pathway **${pathway.slug}** (${version}), started by ${requester}. Job \`${job.job_id}\`.`
}
