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
  channel: OpenedChannel,
  externalId: string,
): Promise<Principal | undefined> {
  const account = await findAccount(tx, channel.id, externalId)
  const member = account && (await findMember(tx, account.actor))
  if (!member) return undefined
  return buildChannelPrincipal(workspace, await findMakers(tx, channel), member)
}

/** Returns the people behind a channel's credentials, who could forge its requests. */
export const findMakers = async (tx: Tx, { id, created_by, updated_by, set_by }: OpenedChannel) => ({
  channelId: id,
  makers: await listPeopleBehind(tx, [created_by, updated_by, ...set_by]),
})
