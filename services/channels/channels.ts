import { randomUUIDv7 } from 'node:crypto'
import { lockWorkspace } from '../../data/access/access-store.ts'
import { writeAudit } from '../../data/audit/audit-store.ts'
import { listMessages, requeueUnsent } from '../../data/channels/channel-messages-store.ts'
import {
  type Channel,
  countChannels,
  deleteChannel,
  findChannel,
  listChannels,
  lockChannels,
  saveChannel,
} from '../../data/channels/channels-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { requireRow } from '../../data/shared/statements.ts'
import type { ChannelFields, ChannelView, SharedChannelFields } from '../../contract/channels/channel.ts'
import type { ChannelMessageView } from '../../contract/channels/channel-message.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ChannelType } from '../../domain/channels/channel.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import type { Encryption } from '../shared/encryption/encryption.ts'
import { listBindings } from './bindings.ts'
import type { ChannelConnector, ChannelDetails } from './channel-type.ts'
import { getChannel, readStored } from './open-channel.ts'

/** A workspace's connections to messaging services. Methods throw NotFound for unknown names. */
export interface ChannelsService {
  list(principal: Principal, page: PageQuery): Promise<{ data: ChannelView[]; total: number }>
  get(principal: Principal, name: string): Promise<ChannelView>
  /**
   * Creates a channel, or replaces its credentials. A web push channel keeps its keys. Throws ValidationError if the
   * service rejects the credentials, and Unavailable if it does not respond. Throws Conflict if the channel belongs to
   * another Slack workspace or has another type, or if the workspace already has the maximum number of channels.
   */
  save(principal: Principal, fields: ChannelFields): Promise<ChannelView>
  /** Throws Conflict while a receptor is bound to the channel. */
  remove(principal: Principal, name: string): Promise<void>
  /** Lists the channel's messages, latest first. */
  messages(principal: Principal, name: string, page: PageQuery): Promise<{ data: ChannelMessageView[]; total: number }>
}

interface Deps {
  db: Database
  encryption: Encryption
  connectors: { [T in ChannelType]: ChannelConnector<T> }
  /** The service's public URL. */
  baseUrl?: string
}

/** A channel without the receptors that answer in it. */
type DescribedChannel = Omit<SharedChannelFields, 'receptors'> & ChannelDetails

const MAX_CHANNELS = 50

export function createChannels({ db, encryption, connectors, baseUrl }: Deps): ChannelsService {
  /** The type of a channel implies its fields and settings. */
  const getConnector = (type: ChannelType): ChannelConnector<ChannelType> =>
    connectors[type] as unknown as ChannelConnector<ChannelType>

  const describe = ({ workspace_slug }: Principal, channel: Channel): DescribedChannel => {
    const { name, type, settings, failing_since } = channel
    const path = `/v1/public/channels/${workspace_slug}/${name}`
    return {
      name,
      ...getConnector(type).present(settings, baseUrl === undefined ? path : new URL(path, baseUrl).href),
      status: failing_since === null ? 'connected' : 'failing',
      failing_since,
      failure: channel.failure,
      last_event_at: channel.last_event_at,
      created_by: channel.created_by,
      created_at: channel.created_at,
      updated_by: channel.updated_by,
      updated_at: channel.updated_at,
    }
  }

  /** Builds the views of channels, with the receptors that answer in them. */
  async function present(tx: Tx, principal: Principal, channels: Channel[]): Promise<ChannelView[]> {
    const names = channels.map(({ name }) => name)
    const bindings = await listBindings(tx, names)
    return channels.map(channel => ({
      ...describe(principal, channel),
      receptors: bindings
        .filter(({ binding }) => binding.channel === channel.name)
        .map(({ id, slug, binding }) => ({
          id,
          slug,
          conversations: (binding.type === 'slack' && binding.conversations) || null,
          senders: binding.type === 'email' ? binding.senders : null,
        })),
    }))
  }

  const presentChannel = async (tx: Tx, principal: Principal, channel: Channel): Promise<ChannelView> => {
    const [view] = await present(tx, principal, [channel])
    return requireRow(view)
  }

  return {
    list: (principal, page) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { rows, total } = await listChannels(tx, page)
        return { data: await present(tx, principal, rows), total }
      }),

    get: (principal, name) =>
      db.inWorkspace(principal.workspace_id, async tx => presentChannel(tx, principal, await getChannel(tx, name))),

    async save(principal, fields) {
      const { name, type } = fields
      const connector = getConnector(type)
      const connection = await connector.connect(fields)
      return db.inWorkspace(principal.workspace_id, async tx => {
        await lockWorkspace(tx)
        const before = await findChannel(tx, name)
        if (!before && (await countChannels(tx)) >= MAX_CHANNELS)
          throw new Conflict(`The workspace has ${MAX_CHANNELS} channels, which is the maximum`)
        if (before && before.type !== type)
          throw new Conflict(`The channel has the type ${before.type}: create another channel`)
        const { settings, credentials } =
          (before && connector.replace?.(readStored(before, encryption), connection)) ?? connection
        const id = before?.id ?? randomUUIDv7()
        const encrypted = encryption.encrypt(JSON.stringify(credentials), id)
        const row = { id, name, type, settings, credentials: encrypted, actor: principal.actor }
        const channel = await saveChannel(tx, row)
        await connector.onSaved?.(tx, id, settings, before?.settings)
        await requeueUnsent(tx, id)
        const after = describe(principal, channel)
        await writeAudit(tx, principal, {
          action: before ? 'channel.update' : 'channel.create',
          target: name,
          ...(before ? { before: describe(principal, before), after } : { after }),
        })
        return presentChannel(tx, principal, channel)
      })
    },

    remove: (principal, name) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        await lockWorkspace(tx)
        const channel = await getChannel(tx, name)
        await lockChannels(tx, [name])
        const [receptor] = await listBindings(tx, [name])
        if (receptor)
          throw new Conflict(
            `The receptor "${receptor.slug}" answers in the channel: remove the channel from the receptor first`,
          )
        await deleteChannel(tx, channel.id)
        await writeAudit(tx, principal, {
          action: 'channel.delete',
          target: name,
          before: describe(principal, channel),
        })
      }),

    messages: (principal, name, page) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const { id } = await getChannel(tx, name)
        const { rows, total } = await listMessages(tx, { channel_id: id, ...page })
        return { data: rows, total }
      }),
  }
}
