import type { Tx } from '../../data/shared/database.ts'
import { findRunDefinition, type JobSummary } from '../../data/runs/jobs-store.ts'
import { type FollowedVersion, listPeopleBehind, listVersionAuthors } from '../../data/people/people-store.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathways/definition.ts'
import type { Principal } from '../../domain/access/principal.ts'
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

/**
 * Returns everyone behind what has changed in the pathway since a run began: the authors of the versions after its own, and
 * of newer versions of what they refer to.
 */
export async function listNewAuthors(
  tx: Tx,
  { pathway_version, created_at }: Pick<JobSummary, 'pathway_version' | 'created_at'>,
  { pathway, pins: { subflows, neurons } }: Followed,
): Promise<string[]> {
  const followed = [
    ...toFollowedVersion(pathway, pathway_version ?? undefined),
    ...[...Object.values(subflows), ...Object.values(neurons)].flatMap(one => toFollowedVersion(one)),
  ]
  return listPeopleBehind(tx, await listVersionAuthors(tx, followed, created_at))
}

const toFollowedVersion = (
  { id, version }: { id: string | null; version: number | null },
  after?: number,
): FollowedVersion[] => (id === null || version === null ? [] : [{ id, version, after }])
