import { findResource } from '../../data/resources/resources-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { inSavepoint } from '../../data/shared/statements.ts'
import { isRefusal, ValidationError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { DryRunResult, ResourceView } from '../../contract/resources/resource.ts'
import { visibleBrains } from '../access/brains.ts'
import { rethrowFlattened } from './flatten-pointers.ts'
import type { NewFields } from './saving.ts'

/** A resource to save in a dry run: either the changed head and document fields, or all fields of a new resource. */
export interface DryRunResource extends NewFields {
  kind: ResourceKind
  slug: string
}

/** Saves one resource in the dry run's transaction. */
type Save = (tx: Tx, resource: DryRunResource, isNew: boolean) => Promise<ResourceView>

/** Thrown to end the transaction of a dry run. */
const ROLL_BACK = new Error('a dry run is rolled back')

/**
 * Saves all resources in one transaction and rolls the transaction back. A resource that references another resource
 * in the list must be saved after it. Failed saves are retried as long as other saves succeed.
 */
export async function dryRunSaves(
  db: Database,
  principal: Principal,
  resources: readonly DryRunResource[],
  save: Save,
): Promise<DryRunResult[]> {
  const results = new Map<DryRunResource, DryRunResult>()
  const saveAll = async (tx: Tx): Promise<never> => {
    let pending = resources
    for (let savedCount = 1; pending.length > 0 && savedCount > 0;) {
      for (const resource of pending) results.set(resource, await trySave(tx, principal, resource, save))
      const failed = pending.filter(resource => results.get(resource)?.action === 'invalid')
      savedCount = pending.length - failed.length
      pending = failed
    }
    throw ROLL_BACK
  }
  await db.inWorkspace(principal.workspace_id, saveAll).catch((error: unknown) => {
    if (error !== ROLL_BACK) throw error
  })
  return resources.flatMap(resource => results.get(resource) ?? [])
}

async function trySave(tx: Tx, principal: Principal, item: DryRunResource, save: Save): Promise<DryRunResult> {
  const { kind, slug } = item
  const head = await findResource(tx, { kind, idOrSlug: slug, brain_ids: visibleBrains(principal) })
  const version = head?.version ?? null
  try {
    const resource = await inSavepoint(tx, () => save(tx, item, !head).catch(rethrowFlattened))
    const action = !head ? 'create' : resource.version === version ? 'unchanged' : 'update'
    return { kind, slug, action, version, resource, problems: [] }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const details = error instanceof ValidationError ? error.details : undefined
    const problems = details?.length ? details : [{ pointer: '', message: error.message }]
    return { kind, slug, action: 'invalid', version, resource: null, problems }
  }
}
