import type { Database } from '../../data/shared/database.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import { MAX_PICTURED_PEOPLE } from '../../domain/stakeholders/picture.ts'
import { diffMaps } from '../../domain/stakeholders/diff.ts'
import type { StakeholderMap } from '../../domain/resources/stakeholder-map.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Briefing } from '../../domain/stakeholders/briefing.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { VersionRange } from '../../contract/resources/version.ts'
import type { MapDiffView, PictureRequest } from '../../contract/stakeholders/map.ts'
import type { ExtractionRequest } from '../../contract/stakeholders/extraction.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { presentResource } from '../resources/views.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { type BriefingDeps, createBriefing, type BriefingRequest } from './briefing.ts'
import { createExtraction } from './extract.ts'
import { getMap, getState, getMapDocument } from './finding.ts'

/** A map with its head and contents. */
export interface PlacedMap {
  head: ResourceView
  map: StakeholderMap
}

export interface AcceptedRun {
  job_id: string
  status: 'pending'
}

/**
 * Reads stakeholder maps and starts runs that change them. Methods accept a map id. Without one, they use the brain
 * context's default map. Methods throw NotFound for missing maps, versions and stakeholders, and Forbidden without a
 * brain context.
 */
export interface StakeholdersService {
  latest(principal: Principal, resourceId?: string): Promise<PlacedMap>
  diff(principal: Principal, range: VersionRange, resourceId?: string): Promise<MapDiffView>
  briefing(principal: Principal, request: BriefingRequest, signal?: AbortSignal): Promise<Briefing>
  /** Starts a run that proposes changes based on a text and asks for approval before it applies them. */
  extract(principal: Principal, request: ExtractionRequest, idempotency?: Idempotency): Promise<AcceptedRun>
  /** Returns a picture as text. Throws ValidationError if the map is too large. */
  picture(principal: Principal, request: PictureRequest): Promise<string>
}

interface Deps extends BriefingDeps {
  db: Database
  evaluator: Evaluator
}

/** Creates the stakeholder map service. */
export function createStakeholders(deps: Deps): StakeholdersService {
  const { db, evaluator } = deps
  return {
    latest: (principal, resourceId) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getMap(tx, principal, resourceId)
        return { head: presentResource(head), map: getMapDocument(head) }
      }),

    diff: (principal, { from, to }, resourceId) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getMap(tx, principal, resourceId)
        const [before, after] = [await getState(tx, head, from), await getState(tx, head, to)]
        const { id: resource_id, title } = head
        return {
          resource_id,
          title,
          from: before.version,
          to: after.version,
          ...diffMaps(getMapDocument(before), getMapDocument(after)),
        }
      }),

    briefing: createBriefing(deps),
    extract: createExtraction(deps),

    async picture(principal, { resource_id, version, diff, format }) {
      const { title, state, former } = await db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getMap(tx, principal, resource_id)
        return {
          title: head.title,
          state: await getState(tx, head, version),
          former: diff === undefined ? undefined : await getState(tx, head, diff),
        }
      })
      const people = getMapDocument(state).stakeholders.length
      if (people > MAX_PICTURED_PEOPLE)
        throw new ValidationError(
          `A picture can show at most ${MAX_PICTURED_PEOPLE} stakeholders, but the map has ${people}`,
        )
      const caption = { title, version: state.version, ...(former && { diff: former.version }) }
      const maps = { map: getMapDocument(state), ...(former && { former: getMapDocument(former) }) }
      return evaluator.evaluate(principal.workspace_id, 'drawMap', { ...maps, caption }, format)
    },
  }
}
