import { type ConnectedChannel, findChannel, findChannelById } from '../../data/channels/channels-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { ChannelKinds, ChannelType, Connection } from '../../domain/channels/channel.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'

/** A channel with its credentials. */
export type OpenedChannel<T extends ChannelType = ChannelType> = Omit<ConnectedChannel, keyof Connection> &
  Connection<T>

/** The settings of a stored channel, and its credentials if they can be decrypted. */
export interface StoredKind<T extends ChannelType> {
  settings: ChannelKinds[T]['settings']
  credentials?: ChannelKinds[T]['credentials']
}

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

/** Returns the settings of a channel, and its credentials unless the server's secret has changed since. */
export function readStored(channel: ConnectedChannel, encryption: Encryption): StoredKind<ChannelType> {
  try {
    return openChannel(channel, encryption)
  } catch {
    return { settings: channel.settings }
  }
}

/** The type of a stored channel implies its settings and credentials. */
export const openChannel = (channel: ConnectedChannel, encryption: Encryption): OpenedChannel =>
  ({
    ...channel,
    credentials: JSON.parse(encryption.decrypt(channel.credentials, channel.id)) as unknown,
  }) as OpenedChannel
