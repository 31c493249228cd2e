import { type ConnectedChannel, findChannel, findChannelById } from '../../data/channels/channels-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { ChannelType, Connection } from '../../domain/channels/channel.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'

/** A channel with its credentials. */
export type OpenedChannel<T extends ChannelType = ChannelType> = Omit<ConnectedChannel, keyof Connection> &
  Connection<T>

/** Throws NotFound. */
export async function getChannel(tx: Tx, name: string): Promise<ConnectedChannel> {
  const channel = await findChannel(tx, name)
  if (!channel) throw new NotFound(`Channel "${name}"`)
  return channel
}

/** Opens a channel by its id. Returns undefined if it was deleted. */
export async function findOpenedChannel(
  tx: Tx,
  encryption: Encryption,
  id: string,
): Promise<OpenedChannel | undefined> {
  const channel = await findChannelById(tx, id)
  return channel && openChannel(channel, encryption)
}

/** The type of a stored channel implies its settings and credentials. */
export const openChannel = (channel: ConnectedChannel, encryption: Encryption): OpenedChannel =>
  ({
    ...channel,
    credentials: JSON.parse(encryption.decrypt(channel.credentials, channel.id)) as unknown,
  }) as OpenedChannel
