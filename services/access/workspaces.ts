import { Forbidden } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'

type Workspace = Pick<Principal, 'workspace_id' | 'workspace_slug'>

/** Returns whether an id or slug identifies the caller's workspace. */
export const isOwnWorkspace = ({ workspace_id, workspace_slug }: Workspace, idOrSlug: string): boolean =>
  idOrSlug === workspace_slug || idOrSlug.toLowerCase() === workspace_id

/**
 * Checks a workspace id or slug in a request. Throws Forbidden unless it is the caller's workspace. The error does
 * not reveal whether another workspace exists.
 */
export function checkWorkspace(principal: Workspace, idOrSlug: string): void {
  if (!isOwnWorkspace(principal, idOrSlug)) throw new Forbidden('The credential does not belong to the workspace')
}
