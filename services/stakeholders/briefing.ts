import type { Database, Tx } from '../../data/shared/database.ts'
import type { Resource } from '../../data/resources/resources-store.ts'
import {
  findNodeVersions,
  listVersionsOfNode,
  type NodeVersion,
} from '../../data/stakeholders/stakeholder-maps-store.ts'
import { NotFound, Unavailable, ValidationError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Stakeholder } from '../../domain/resources/stakeholder-map.ts'
import {
  type BriefedChange,
  type BriefedIntervention,
  type BriefedMention,
  type Briefing,
  findPaths,
  listFacts,
  listRelations,
  indexNames,
} from '../../domain/stakeholders/briefing.ts'
import { diffMaps, listSentences } from '../../domain/stakeholders/diff.ts'
import { inBrain } from '../access/brains.ts'
import type { JobsService } from '../runs/jobs.ts'
import type { SearchService } from '../search/search.ts'
import { getMap, getMapDocument } from './finding.ts'
import { createWriter, type WriterDeps } from './writer.ts'

export interface BriefingRequest {
  node_id: string
  resource_id?: string
  /** Other stakeholders to which paths are searched. */
  paths_to: string[]
  /** Whether a model writes a text based on the facts. */
  written: boolean
}

export interface BriefingDeps extends WriterDeps {
  db: Database
  search: SearchService
  jobs: Pick<JobsService, 'interventions' | 'start'>
}

/** Maximum number of versions that are searched for changes, newest first. */
const MAX_VERSIONS = 50
const MAX_MENTIONS = 10
/** Maximum number of search matches. Only matches that name the person are kept. */
const MAX_MATCHES = 50
const MAX_INTERVENTIONS = 50
const MAX_EXCERPT_CHARS = 300

/** The resource kinds that may mention a person. */
const SEARCHED = ['assets', 'artifacts', 'meetings'] as const

/** Creates the stakeholder briefing. */
export function createBriefing(deps: BriefingDeps) {
  const { db, search, jobs } = deps
  const write = createWriter(deps)

  /** Returns null if search is unreachable. */
  async function findMentions(
    principal: Principal,
    { name, aliases = [] }: Stakeholder,
    signal?: AbortSignal,
  ): Promise<BriefedMention[] | null> {
    const names = [name, ...aliases]
    const request = { query: names.join(' '), types: [...SEARCHED], limit: MAX_MATCHES, offset: 0 }
    try {
      const { matches } = await search.search(principal, { ...request, mode: 'hybrid' }, { signal })
      return matches
        .flatMap(({ resource_id, type, title, path, chunk }) => {
          const excerpt = findExcerpt([chunk?.text ?? '', title], names)
          return excerpt === undefined ? [] : [{ resource_id, type, title, path, excerpt }]
        })
        .slice(0, MAX_MENTIONS)
    } catch (error) {
      if (error instanceof Unavailable) return null
      throw error
    }
  }

  async function findInterventions(principal: Principal, stakeholder: Stakeholder): Promise<BriefedIntervention[]> {
    const page = { statuses: ['open' as const], limit: MAX_INTERVENTIONS, offset: 0 }
    const { data } = await jobs.interventions(principal, { ...page, assignees: [getActor(stakeholder)] })
    return data.map(({ interventionId, job_id, title, opened_at, due_at }) => ({
      id: interventionId,
      job_id,
      title,
      opened_at,
      due_at: due_at ?? null,
    }))
  }

  return async (
    principal: Principal,
    { node_id, resource_id, paths_to, written: wantsText }: BriefingRequest,
    signal?: AbortSignal,
  ): Promise<Briefing> => {
    const { head, changes, has_more_changes } = await db.inWorkspace(principal.workspace_id, async tx => {
      const head = await getMap(tx, principal, resource_id)
      return { head, ...(await listChanges(tx, head, node_id)) }
    })
    const map = getMapDocument(head)
    const stakeholder = map.stakeholders.find(({ id }) => id === node_id)
    if (!stakeholder) throw new NotFound('Stakeholder')
    const names = indexNames(map)
    refuseUnknown(paths_to, names)
    const [mentions, interventions] = await Promise.all([
      findMentions(inBrain(principal, head.brain_id ?? principal.brain?.id ?? null), stakeholder, signal),
      findInterventions(principal, stakeholder),
    ])
    const briefing = {
      resource_id: head.id,
      map_title: head.title,
      version: head.version,
      stakeholder,
      relations: listRelations(map.edges, node_id, names),
      paths: paths_to.length > 0 ? findPaths(map.edges, node_id, paths_to, names) : [],
      changes,
      has_more_changes,
      mentions,
      interventions,
    }
    if (!wantsText) return { ...briefing, written: null, facts: [] }
    const facts = listFacts(briefing)
    return { ...briefing, written: await write(principal, stakeholder.name, facts, signal), facts }
  }
}

/**
 * Returns a stakeholder's actor: the attribute `actor`, or the user derived from the node id if there is no
 * attribute.
 */
const getActor = ({ id, attributes }: Stakeholder): string =>
  typeof attributes['actor'] === 'string' ? attributes['actor'] : `user:${id}`

function refuseUnknown(ids: string[], names: ReadonlyMap<string, string>): void {
  const problems = ids
    .filter(id => !names.has(id))
    .map(id => ({ pointer: '/paths_to', message: `there is no stakeholder "${id}"` }))
  if (problems.length > 0) throw new ValidationError('The request is invalid', problems)
}

/** Lists a stakeholder's changes in the most recent versions, newest first. */
async function listChanges(
  tx: Tx,
  { id: resource_id, version: until }: Resource,
  node_id: string,
): Promise<{ changes: BriefedChange[]; has_more_changes: boolean }> {
  const versionNumbers = await listVersionsOfNode(tx, { resource_id, node_id, until, limit: MAX_VERSIONS + 1 })
  const newest = versionNumbers.slice(0, MAX_VERSIONS)
  const versions = [...new Set(newest.flatMap(version => [version, version - 1]))].filter(version => version > 0)
  const states = await findNodeVersions(tx, { resource_id, node_id, versions })
  const byVersion = new Map(states.map(state => [state.version, state]))
  const changes = newest.flatMap(version => {
    const after = byVersion.get(version)
    const before = byVersion.get(version - 1)
    const knownNames = Object.entries({ ...before?.names, ...after?.names })
    const sentences = after ? listSentences(diffMaps(getMapPart(before), getMapPart(after), knownNames)) : []
    if (!after || sentences.length === 0) return []
    const { at, author, note } = after
    return [{ version, at, author, note, sentences }]
  })
  return { changes, has_more_changes: versionNumbers.length > MAX_VERSIONS }
}

/** Returns the part of the map that surrounds a stakeholder. Connected stakeholders are not compared. */
function getMapPart(state?: NodeVersion) {
  return { stakeholders: state?.stakeholder ? [state.stakeholder] : [], edges: state?.edges ?? [] }
}

/** Returns an excerpt around the first name that occurs in a text. */
function findExcerpt(texts: string[], names: string[]): string | undefined {
  for (const text of texts) {
    const lower = text.toLowerCase()
    const at = names.map(name => lower.indexOf(name.toLowerCase())).find(index => index >= 0)
    if (at === undefined) continue
    const start = Math.max(0, at - MAX_EXCERPT_CHARS / 2)
    const excerpt = text
      .slice(start, start + MAX_EXCERPT_CHARS)
      .toWellFormed()
      .replaceAll(/\s+/g, ' ')
      .trim()
    return `${start > 0 ? '…' : ''}${excerpt}${start + MAX_EXCERPT_CHARS < text.length ? '…' : ''}`
  }
  return undefined
}
