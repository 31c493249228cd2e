import type { Database } from '../../data/shared/database.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { applyChange } from '../../domain/resources/patching.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { type FoundPeople, type Proposal, proposeDelta } from '../../domain/stakeholders/propose.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import type { ResourcesService } from '../resources/resources.ts'
import { getMap, MAP_KIND, getMapDocument } from './finding.ts'

export interface MapProposal extends Proposal {
  map: string
  title: string
  version: number
}

/** Map changes made by runs. Methods throw NotFound, ValidationError, Conflict and Forbidden. */
export interface MapChanges {
  /** Converts the people found by models to a delta relative to the latest version. */
  propose(principal: Principal, map: string, extractions: FoundPeople[]): Promise<MapProposal>
  /** Applies a delta at most once per key. */
  apply(
    principal: Principal,
    map: string,
    change: { delta: JsonObject; expected_version?: number; note?: string },
    once: Idempotency,
  ): Promise<{ map: string; version: number }>
}

/** Thrown if the key of the change was already used. */
class AlreadyAppliedError extends Error {}

interface Deps {
  db: Database
  resources: Pick<ResourcesService, 'edit' | 'read'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

export function createMapChanges({ db, resources, idempotencyKeys }: Deps): MapChanges {
  return {
    propose: (principal, map, extractions) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getMap(tx, principal, map)
        const { id, title, version } = head
        return { map: id, title, version, ...proposeDelta(getMapDocument(head), extractions) }
      }),

    async apply(principal, map, { delta, expected_version, note }, once) {
      const kind = getResourceKind(MAP_KIND)
      const edit = resources.edit(
        principal,
        MAP_KIND,
        map,
        async (before, tx) => {
          const { isNew } = await idempotencyKeys.claim(tx, once, map)
          if (!isNew) throw new AlreadyAppliedError()
          return applyChange(before, { delta }, kind)
        },
        { expected_version, note, delta },
      )
      const { id, version } = await edit.catch((error: unknown) => {
        if (error instanceof AlreadyAppliedError) return resources.read(principal, MAP_KIND, map)
        throw error
      })
      return { map: id, version }
    },
  }
}
