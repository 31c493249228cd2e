import { Forbidden } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'

/**
 * Checks a workspace that a request names by id or slug. Throws Forbidden unless it is the caller's: the error is the same
 * whether the other one exists or not.
 */
export function checkWorkspace(principal: Pick<Principal, 'workspace_id' | 'workspace_slug'>, idOrSlug: string): void {
  const { workspace_id, workspace_slug } = principal
  if (idOrSlug !== workspace_slug && idOrSlug.toLowerCase() !== workspace_id)
    throw new Forbidden('The API key does not belong to the workspace')
}
