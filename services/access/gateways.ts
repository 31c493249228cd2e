import type { Tx } from '../../data/shared/database.ts'
import { findAuthorPermissions, type Resource } from '../../data/resources/resources-store.ts'
import type { Principal } from '../../domain/access/principal.ts'

/**
 * Returns the principal with the permissions of the author of a gateway's current version. A gateway is a receptor or
 * a trigger. Its runs have the author's rights, no matter who invokes it.
 */
export const throughGateway = async (
  tx: Tx,
  principal: Principal,
  gateway: Pick<Resource, 'id' | 'version'>,
): Promise<Principal> => ({ ...principal, permissions: new Set(await findAuthorPermissions(tx, gateway)) })
