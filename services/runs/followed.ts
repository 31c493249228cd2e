import type { Tx } from '../../data/shared/database.ts'
import { findRunDefinition, type JobSummary } from '../../data/runs/jobs-store.ts'
import { type FollowedVersion, listPeopleBehind, listVersionAuthors } from '../../data/people/people-store.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathways/definition.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RunVersion } from '../../workflows/pathways/messages.ts'
import { inBrain } from '../access/brains.ts'
import { type Pins, pinRun } from '../pathways/pinning.ts'

/** A run's pathway, with everything that it references. */
export interface FollowedPathway {
  pathway: PinnedPathway
  pins: Pins
}

/** Returns a run's pathway with resolved references. */
export const getFollowedPathway = ({ pathway, definition, subflows, neurons = {} }: RunVersion): FollowedPathway => ({
  pathway: { ...pathway, definition },
  pins: { subflows, neurons },
})

/**
 * Pins the current versions of everything that a run uses. Throws NotFound if the run's pathway was purged, and
 * ValidationError.
 */
export async function pinFollowed(
  tx: Tx,
  principal: Principal,
  { job_id, title: runTitle, brain_id }: Pick<JobSummary, 'job_id' | 'title' | 'brain_id'>,
): Promise<FollowedPathway> {
  const runDefinition = await findRunDefinition(tx, job_id)
  if (!runDefinition) throw new NotFound('The definition of this job')
  const definition = runDefinition.definition as unknown as PathwayDefinition
  const { id, version, slug, title } = runDefinition
  const pathway = { id, version, slug: slug ?? 'inline', title: title ?? runTitle, definition }
  return getFollowedPathway(await pinRun(tx, inBrain(principal, brain_id), pathway, '/definition'))
}

/**
 * Returns the authors of all pathway changes since a run started. This includes versions after the run's version, and
 * newer versions of the resources that they reference.
 */
export async function listNewAuthors(
  tx: Tx,
  { pathway_version, created_at }: Pick<JobSummary, 'pathway_version' | 'created_at'>,
  { pathway, pins: { subflows, neurons } }: FollowedPathway,
): Promise<string[]> {
  const versions = [
    ...listFollowedVersion(pathway, pathway_version ?? undefined),
    ...[...Object.values(subflows), ...Object.values(neurons)].flatMap(pin => listFollowedVersion(pin)),
  ]
  return listPeopleBehind(tx, await listVersionAuthors(tx, versions, created_at))
}

const listFollowedVersion = (
  { id, version }: { id: string | null; version: number | null },
  after?: number,
): FollowedVersion[] => (id === null || version === null ? [] : [{ id, version, after }])
