import type { Tx } from '../../data/database.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { PinnedPathway } from '../../domain/pathway/definition.ts'
import { validateDefinition } from '../../domain/pathway/validate.ts'
import type { Principal } from '../../domain/principal.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { pathwayAttributes } from '../../workflows/pathway/attributes.ts'
import { PATHWAY_WORKFLOW, type PathwayRunInput } from '../../workflows/pathway/messages.ts'
import { pinRun, resolvePinned } from '../pathways/pinning.ts'
import { missingReference } from '../pathways/references.ts'
import type { Launch, Launcher } from './launch.ts'
import type { JobsService, StartRequest } from './types.ts'

/** Slug of runs whose definition came with the request. */
const INLINE: Omit<PinnedPathway, 'definition'> = { id: null, slug: 'inline', version: null, title: 'Inline pathway' }

/** Starts runs of pathways: each pins, as it is accepted, the pathway and all that it refers to. */
export function createStart(launcher: Pick<Launcher, 'start'>): JobsService['start'] {
  return async (principal, request, idempotency) => {
    const inline = request.pathway === undefined ? undefined : inlinePathway(request.pathway)
    const plan = async (tx: Tx) => {
      const pinned = inline ?? (await storedPathway(tx, principal, request))
      checkInput(pinned, request.input ?? null)
      const run = await prepare(tx, principal, pinned, request)
      return { name: pinned.slug, launch: (job: JobRef) => launchOf({ ...run, job }) }
    }
    return launcher.start(principal, plan, idempotency)
  }
}

function inlinePathway(raw: unknown): PinnedPathway {
  const checked = validateDefinition(raw, { at: '/pathway' })
  if (!checked.ok) throw new ValidationError('The pathway has problems', checked.problems)
  return { ...INLINE, definition: checked.definition }
}

async function storedPathway(tx: Tx, principal: Principal, { pathway_id }: StartRequest): Promise<PinnedPathway> {
  const ref = pathway_id ?? ''
  const pinned = await resolvePinned(tx, ref, principal)
  if (!pinned) throw await missingReference(tx, 'pathways', ref, principal)
  return pinned
}

/** Throws ValidationError. */
export function checkInput({ definition }: PinnedPathway, input: JsonValue): void {
  if (!definition.input) return
  const compiled = compileSchema(definition.input)
  const problems = 'validate' in compiled ? compiled.validate(input, '/input') : compiled.problems
  if (problems.length > 0) throw new ValidationError('The input must match the input schema of the pathway', problems)
}

type Prepared = Omit<PathwayRunInput, 'job'>

async function prepare(tx: Tx, principal: Principal, pinned: PinnedPathway, request: StartRequest): Promise<Prepared> {
  const at = pinned.id === null ? '/pathway' : ''
  return { ...(await pinRun(tx, principal, pinned, at)), input: request.input ?? null, requester: principal.actor }
}

/** A run of what was pinned. */
export function launchOf(run: PathwayRunInput): Launch {
  const { job, pathway, input, requester } = run
  const version = pathway.version === null ? 'inline' : `version ${pathway.version}`
  const details = `Pathway **${pathway.slug}** (${version}), started by ${requester}. Job \`${job.job_id}\`.`
  const workflow = { type: PATHWAY_WORKFLOW, args: [run], details, attributes: pathwayAttributes(pathway) }
  return { job, kind: 'pathway', title: pathway.title, requester, input, pathway, workflow }
}
