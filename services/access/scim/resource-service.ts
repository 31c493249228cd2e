import { type Filter, parse } from 'scim2-parse-filter'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Manager } from '../manager.ts'
import type { Resource } from './resources.ts'

/** Who provisions: the manager for the changes, and the principal for the work of people who leave. */
export interface Provisioner {
  manager: Manager
  principal: Principal
  /** Address of the SCIM endpoint. */
  base: string
}

/** Whether the client needs the members of groups. */
export interface ReadQuery {
  withMembers: boolean
}

export interface ListQuery extends ReadQuery {
  filter?: string
  limit: number
  offset: number
}

/**
 * Users or groups for SCIM clients. Methods throw ScimProblem for invalid requests, NotFound for unknown ids, and
 * Conflict if the workspace would lose its last owner.
 */
export interface ResourceService {
  list(by: Provisioner, query: ListQuery): Promise<{ resources: Resource[]; total: number }>
  read(by: Provisioner, id: string, query: ReadQuery): Promise<Resource>
  create(by: Provisioner, body: unknown): Promise<Resource>
  replace(by: Provisioner, id: string, body: unknown): Promise<Resource>
  patch(by: Provisioner, id: string, body: unknown): Promise<Resource>
  delete(by: Provisioner, id: string): Promise<void>
}

const MAX_FILTER = 2_000

/** Throws ScimProblem. */
export function parseFilter(filter: string | undefined): Filter | undefined {
  if (filter === undefined || filter === '') return undefined
  if (filter.length > MAX_FILTER)
    throw new ScimProblem('invalidFilter', `The filter may have at most ${MAX_FILTER} characters`)
  try {
    return parse(filter)
  } catch (error) {
    throw new ScimProblem('invalidFilter', error instanceof Error ? error.message : 'The filter is invalid')
  }
}
