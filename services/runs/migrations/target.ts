import type { Database, Tx } from '../../../data/shared/database.ts'
import { isRefusal, ValidationError } from '../../../domain/shared/errors.ts'
import type { PinnedPathway } from '../../../domain/pathways/definition.ts'
import type { MigrationProblem } from '../../../domain/pathways/migration/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { RunVersion } from '../../../workflows/pathways/messages.ts'
import { inBrain } from '../../access/brains.ts'
import { pinRun, resolvePinned } from '../../pathways/pinning.ts'
import { getPathway } from '../start/start-pathway.ts'
import type { MigrationRequest } from './migrations.ts'

/** The target version for runs, or the reasons why no run in a brain can migrate. */
export type Target = { version: RunVersion } | { problems: MigrationProblem[] }

/** A migration's pathway. The new version is pinned once per brain, as for a run in that brain. */
export interface MigrationTarget {
  pathway: PinnedPathway
  pin(brainId: string | null): Promise<Target>
}

/**
 * Throws NotFound for an unknown pathway, Conflict for an inactive pathway, and ValidationError for unknown versions.
 */
export async function openTarget(
  db: Database,
  principal: Principal,
  { pathway: ref, from_version, to_version }: Pick<MigrationRequest, 'pathway' | 'from_version' | 'to_version'>,
): Promise<MigrationTarget> {
  if (from_version === to_version) throw invalidMoveError('/to_version', 'must differ from from_version')
  const { workspace_id } = principal
  const pathway = await db.inWorkspace(workspace_id, async tx => {
    const head = await getPathway(tx, principal, ref)
    await getVersion(tx, principal, `${head.id}@${from_version}`, '/from_version')
    return getVersion(tx, principal, `${head.id}@${to_version}`, '/to_version')
  })
  const pinned = new Map<string | null, Promise<Target>>()
  const pin = (brainId: string | null): Promise<Target> =>
    db
      .inWorkspace(workspace_id, tx => pinRun(tx, inBrain(principal, brainId), pathway, ''))
      .then(({ pathway: named, definition, subflows, neurons }) => ({
        version: { pathway: named, definition, subflows, neurons },
      }))
      .catch(describeTargetError)
  return {
    pathway,
    pin: brainId => {
      const target = pinned.get(brainId) ?? pin(brainId)
      pinned.set(brainId, target)
      return target
    },
  }
}

async function getVersion(tx: Tx, principal: Principal, ref: string, pointer: string): Promise<PinnedPathway> {
  const pathway = await resolvePinned(tx, ref, principal)
  if (!pathway) throw invalidMoveError(pointer, 'must be a version of the pathway')
  return pathway
}

/** Returns the problems with a version that cannot be pinned. Rethrows other errors. */
function describeTargetError(error: unknown): Target {
  if (!isRefusal(error)) throw error
  return { problems: error.details ?? [{ pointer: '', message: error.message }] }
}

const invalidMoveError = (pointer: string, message: string): ValidationError =>
  new ValidationError('The runs cannot be migrated with these options', [{ pointer, message }])
