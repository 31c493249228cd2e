import type { Briefing } from '../../domain/stakeholders/briefing.ts'
import type { MapDiff } from '../../domain/stakeholders/diff.ts'
import type { PictureFormat } from '../../domain/stakeholders/picture.ts'
import type { StakeholderMap } from '../../domain/resources/stakeholder-map.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import type { ExtractionRequest } from './extract.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { VersionRange } from '../../contract/resources/version.ts'

/** A map: its head, and what is in it. */
export interface MapView {
  head: ResourceView
  map: StakeholderMap
}

export interface MapDiffView extends MapDiff {
  resource_id: string
  title: string
  from: number
  to: number
}

export interface BriefingRequest {
  node_id: string
  resource_id?: string
  /** Other stakeholders to which paths are looked for. */
  paths_to: string[]
  /** Whether a model writes a text from the facts. */
  written: boolean
}

export interface PictureRequest {
  resource_id?: string
  version: number | 'live'
  /** The state to which changes are marked. */
  diff?: number | 'live'
  format: PictureFormat
}

export interface AcceptedRun {
  job_id: string
  status: 'pending'
}

/**
 * Reads of stakeholder maps, and runs that change them. Each takes the id of a map, else it is the default map of the brain context. Methods throw
 * NotFound for maps, versions and stakeholders that are not there, and Forbidden without a brain context.
 */
export interface StakeholdersService {
  latest(principal: Principal, resourceId?: string): Promise<MapView>
  diff(principal: Principal, range: VersionRange, resourceId?: string): Promise<MapDiffView>
  briefing(principal: Principal, request: BriefingRequest, signal?: AbortSignal): Promise<Briefing>
  /** Starts a run that proposes changes from a text, and asks before it applies them. */
  extract(principal: Principal, request: ExtractionRequest, idempotency?: Idempotency): Promise<AcceptedRun>
  /** Returns the text of a picture. Throws ValidationError for a map that is too large for it. */
  picture(principal: Principal, request: PictureRequest): Promise<string>
}
