import type { Tx } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { PathwayDefinition, PinnedPathway } from '../../../domain/pathways/definition.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { toSlug } from '../../../domain/shared/text/slug.ts'
import { buildPathwayAttributes } from '../../../workflows/shared/run/attributes.ts'
import { buildRunInput, PATHWAY_WORKFLOW, type PathwayRunInput } from '../../../workflows/pathways/messages.ts'
import { inContext } from '../../access/brains.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import { pinRun, resolvePinned } from '../../pathways/pinning.ts'
import { missingReferenceError } from '../../pathways/references.ts'
import { type ClaimedJob, type JobStart, type JobStarter, acceptJob } from './job-starter.ts'
import type { JobsService } from '../jobs.ts'
import type { StartBody } from '../../../contract/runs/control.ts'

/** A stored pathway, or an inline definition, which is not yet validated. */
export interface StartRequest extends Pick<StartBody, 'pathway_id' | 'input'> {
  pathway?: unknown
}

/** Slug of runs whose definition came with the request. */
const INLINE: Omit<PinnedPathway, 'definition'> = { id: null, slug: 'inline', version: null, title: 'Inline pathway' }

const MAX_NAME_CHARS = 40

/** Begins the id of an inline run: `inline-onboard` for the run title `Onboard ${input.company}`. */
function buildInlineName({ definition: { run_title = '' } }: PinnedPathway): string {
  const name = toSlug(run_title.replaceAll(/\$\{[^}]*\}/g, ' ')).slice(0, MAX_NAME_CHARS)
  return [INLINE.slug, ...(name ? [name.replace(/-$/, '')] : [])].join('-')
}

export interface StartPathwayDeps {
  jobStarter: JobStarter
  evaluator: Evaluator
}

/** Starts runs of pathways. A run pins the pathway and all that it refers to when it is accepted. */
export function createStartPathway({ jobStarter, evaluator }: StartPathwayDeps): JobsService['start'] {
  const buildRun = createBuildPathwayRun(evaluator)

  async function parseInlinePathway(principal: Principal, raw: unknown): Promise<PinnedPathway> {
    requirePermission(principal, 'definitions:run')
    const problems = await evaluator.evaluate(principal.workspace_id, 'findDefinitionProblems', raw, '/pathway')
    if (problems.length > 0) throw new ValidationError('The pathway has problems', problems)
    return { ...INLINE, definition: raw as PathwayDefinition }
  }

  return async (caller, request, idempotency) => {
    const principal = inContext(caller)
    const inline = request.pathway === undefined ? undefined : await parseInlinePathway(principal, request.pathway)
    return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
      const head = inline ?? (await getPathway(tx, principal, request.pathway_id ?? ''))
      const claimed = await claimJob(inline ? buildInlineName(inline) : head.slug)
      return acceptJob(await buildRun(tx, principal, head, claimed, request.input))
    })
  }
}

/** Builds the start of a run of a pathway, in the transaction that claimed its job. */
export const createBuildPathwayRun =
  (evaluator: Evaluator) =>
  async (
    tx: Tx,
    principal: Principal,
    head: PinnedPathway,
    { job, requester, existing }: ClaimedJob,
    rawInput?: JsonValue,
  ): Promise<JobStart> => {
    requirePermission(principal, 'jobs:start')
    const pathway = await getStartedPathway(tx, principal, head, existing)
    const { input, title } = await prepareRun(evaluator, pathway, { job, requester, input: rawInput })
    const pinned = await pinRun(tx, principal, { ...pathway, title }, head.id === null ? '/pathway' : '/definition')
    return buildPathwayJob({ ...pinned, job, input, requester })
  }

/** Throws NotFound, and Conflict when the pathway is inactive. */
export async function getPathway(tx: Tx, principal: Principal, ref: string): Promise<PinnedPathway> {
  const pinned = await resolvePinned(tx, ref, principal)
  if (!pinned) throw await missingReferenceError(tx, 'pathways', ref, principal)
  return pinned
}

/** Returns the version that the first request pinned, for a repeat of it. */
export async function getStartedPathway(
  tx: Tx,
  principal: Principal,
  head: PinnedPathway,
  existing: JobRecord | undefined,
): Promise<PinnedPathway> {
  if (!existing?.pathway_id) return head
  return getPathway(tx, principal, `${existing.pathway_id}@${existing.pathway_version}`)
}

/** The run whose input is prepared. An input that is missing is `{}`. */
interface RunStart {
  job: Pick<JobRef, 'job_id' | 'workspace_id'>
  requester: string
  input?: JsonValue
}

/**
 * Returns the input of a run with the defaults of the pathway, and the title of the run. Throws ValidationError when the
 * input does not match; pointers begin with `at`.
 */
export async function prepareRun(
  evaluator: Evaluator,
  { definition, title }: Pick<PinnedPathway, 'definition' | 'title'>,
  { job, requester, input = {} }: RunStart,
  at = '/input',
): Promise<{ input: JsonValue; title: string }> {
  const { input: schema, run_title } = definition
  if (!schema && run_title === undefined) return { input, title }
  const run = { id: job.job_id, requester }
  const start = await evaluator.evaluate(job.workspace_id, 'prepareRun', { input: schema, run_title }, input, run, at)
  if (start.problems.length > 0)
    throw new ValidationError('The input must match the input schema of the pathway', start.problems)
  return { input: start.input, title: start.title ?? title }
}

export function buildPathwayJob(run: PathwayRunInput): JobStart {
  const { job, pathway, input, requester } = run
  const version = pathway.version === null ? 'inline' : `version ${pathway.version}`
  const details = `Pathway **${pathway.slug}** (${version}), started by ${requester}. Job \`${job.job_id}\`.`
  const args = [buildRunInput(run)]
  const workflow = { type: PATHWAY_WORKFLOW, args, details, attributes: buildPathwayAttributes(pathway) }
  const definition = pathway.id === null ? (run.definition as unknown as JsonValue) : undefined
  return { job, kind: 'pathway', title: pathway.title, requester, input, pathway, definition, workflow }
}
