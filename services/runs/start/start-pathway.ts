import type { Tx } from '../../../data/shared/database.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonSchema, JsonValue } from '../../../domain/shared/json/json.ts'
import type { PathwayDefinition, PinnedPathway } from '../../../domain/pathways/definition.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { toSlug } from '../../../domain/shared/text/slug.ts'
import { buildPathwayAttributes } from '../../../workflows/shared/run/attributes.ts'
import { buildRunInput, PATHWAY_WORKFLOW, type PathwayRunInput } from '../../../workflows/pathways/messages.ts'
import { inContext } from '../../access/brains.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import { attachFileValues } from '../../documents/files.ts'
import { pinRun, resolvePinned } from '../../pathways/pinning.ts'
import { missingReferenceError } from '../../pathways/references.ts'
import { type ClaimedJob, type JobStart, type JobStarter, acceptJob } from './job-starter.ts'
import type { JobsService } from '../jobs.ts'
import type { StartBody } from '../../../contract/runs/control.ts'

/** A stored pathway or an inline definition. The definition is not yet validated. */
export interface StartRequest extends Pick<StartBody, 'pathway_id' | 'input'> {
  pathway?: unknown
}

/** Placeholder for runs with an inline definition. */
const INLINE: Omit<PinnedPathway, 'definition'> = { id: null, slug: 'inline', version: null, title: 'Inline pathway' }

const MAX_NAME_CHARS = 40

/**
 * Builds the start of an inline run's id. For example, the run title `Onboard ${input.company}` results in
 * `inline-onboard`.
 */
function buildInlineName({ definition: { run_title = '' } }: PinnedPathway): string {
  const name = toSlug(run_title.replaceAll(/\$\{[^}]*\}/g, ' ')).slice(0, MAX_NAME_CHARS)
  return [INLINE.slug, ...(name ? [name.replace(/-$/, '')] : [])].join('-')
}

export interface StartPathwayDeps {
  jobStarter: JobStarter
  evaluator: Evaluator
}

/** Starts pathway runs. When a run is accepted, the pathway and everything that it references are pinned. */
export function createStartPathway({ jobStarter, evaluator }: StartPathwayDeps): JobsService['start'] {
  const buildRun = createBuildPathwayRun(evaluator)

  async function parseInlinePathway(principal: Principal, raw: unknown): Promise<PinnedPathway> {
    requirePermission(principal, 'definitions:run')
    const problems = await evaluator.evaluate(principal.workspace_id, 'findDefinitionProblems', raw, '/pathway')
    if (problems.length > 0) throw new ValidationError('The pathway is invalid', problems)
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

/** Builds a pathway run, in the transaction that claimed the run's job. */
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
    await attachInputFiles(evaluator, tx, principal, job.job_id, { schema: pathway.definition.input, input })
    const pinned = await pinRun(tx, principal, { ...pathway, title }, head.id === null ? '/pathway' : '/definition')
    return buildPathwayJob({ ...pinned, job, input, requester })
  }

/** Makes the files in a run's input part of the run. Throws ValidationError for a file that does not fit. */
export async function attachInputFiles(
  evaluator: Evaluator,
  tx: Tx,
  principal: Principal,
  job_id: string,
  { schema, input }: { schema?: JsonSchema; input: JsonValue },
): Promise<void> {
  if (schema) await attachFileValues(evaluator, tx, principal, { job_id }, { schema, value: input, at: '/input' })
}

/** Throws NotFound, and Conflict if the pathway is inactive. */
export async function getPathway(tx: Tx, principal: Principal, ref: string): Promise<PinnedPathway> {
  const pinned = await resolvePinned(tx, ref, principal)
  if (!pinned) throw await missingReferenceError(tx, 'pathways', ref, principal)
  return pinned
}

/** For a repeated request, returns the version that the first request pinned. */
export async function getStartedPathway(
  tx: Tx,
  principal: Principal,
  head: PinnedPathway,
  existing: JobRecord | undefined,
): Promise<PinnedPathway> {
  if (!existing?.pathway_id) return head
  return getPathway(tx, principal, `${existing.pathway_id}@${existing.pathway_version}`)
}

/** The run whose input is prepared. A missing input is `{}`. */
interface RunStart {
  job: Pick<JobRef, 'job_id' | 'workspace_id'>
  requester: string
  input?: JsonValue
}

/**
 * Returns a run's input, completed with the pathway's defaults, and the run title. Throws ValidationError if the
 * input does not match. Pointers start with `at`.
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
    throw new ValidationError("The input must match the pathway's input schema", start.problems)
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
