import { findAccount } from '../../data/channels/channel-accounts-store.ts'
import type { Workspace } from '../../data/access/access-store.ts'
import { findMember } from '../../data/access/members-store.ts'
import { listPeopleBehind } from '../../data/people/people-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { buildChannelPrincipal } from '../access/callers.ts'
import type { OpenedChannel } from './open-channel.ts'

/** Returns the principal of the member to whom the account is linked. */
export async function findChannelPrincipal(
  tx: Tx,
  workspace: Workspace,
  { id: channelId, created_by, updated_by, set_by }: OpenedChannel,
  externalId: string,
): Promise<Principal | undefined> {
  const account = await findAccount(tx, channelId, externalId)
  const member = account && (await findMember(tx, account.actor))
  if (!member) return undefined
  const makers = await listPeopleBehind(tx, [created_by, updated_by, ...set_by])
  return buildChannelPrincipal(workspace, { channelId, makers }, member)
}
