import type { Tx } from '../../data/database.ts'
import { findRunDefinition } from '../../data/jobs-store.ts'
import { NotFound } from '../../domain/errors.ts'
import type { JobSummary } from '../../domain/jobs.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathway/definition.ts'
import { excludesRequester } from '../../domain/pathway/four-eyes.ts'
import type { Principal } from '../../domain/principal.ts'
import type { RunVersion } from '../../workflows/pathway/messages.ts'
import { inBrain } from '../access/brains.ts'
import { type Pins, pinRun } from '../pathways/pinning.ts'

/** The pathway of a run, with all that it refers to. */
export interface Followed {
  pathway: PinnedPathway
  pins: Pins
}

/** What a run with resolved references follows. */
export const toFollowed = ({ pathway, definition, subflows, neurons = {} }: RunVersion): Followed => ({
  pathway: { ...pathway, definition },
  pins: { subflows, neurons },
})

/** Pins what a run follows as it is now. Throws NotFound once its pathway was purged, and ValidationError. */
export async function pinFollowed(
  tx: Tx,
  principal: Principal,
  { job_id, title: runTitle, brain_id }: Pick<JobSummary, 'job_id' | 'title' | 'brain_id'>,
): Promise<Followed> {
  const found = await findRunDefinition(tx, job_id)
  if (!found) throw new NotFound('The definition of this job')
  const definition = found.definition as unknown as PathwayDefinition
  const { id, version, slug, title } = found
  const pathway = { id, version, slug: slug ?? 'inline', title: title ?? runTitle, definition }
  return toFollowed(await pinRun(tx, inBrain(principal, brain_id), pathway, '/definition'))
}

/** Whether what a run follows has a decision that its requester may not take. */
export const hasExcludedRequester = ({ pathway: { definition }, pins: { subflows } }: Followed): boolean =>
  excludesRequester({ definition, subflows })
