import { Forbidden } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'

type Workspace = Pick<Principal, 'workspace_id' | 'workspace_slug'>

/** Whether a request names the workspace of the caller, by id or slug. */
export const isOwnWorkspace = ({ workspace_id, workspace_slug }: Workspace, idOrSlug: string): boolean =>
  idOrSlug === workspace_slug || idOrSlug.toLowerCase() === workspace_id

/**
 * Checks a workspace that a request names by id or slug. Throws Forbidden unless it is the caller's: the error is the same
 * whether the other one exists or not.
 */
export function checkWorkspace(principal: Workspace, idOrSlug: string): void {
  if (!isOwnWorkspace(principal, idOrSlug)) throw new Forbidden('The credential does not belong to the workspace')
}
